"""The law that no typed character is ignored: wishes mean what was typed, or the error points at the fault.

Valid texts are mutated. The grammar of docs/wishes.md, written here a second time as a regular expression,
has to cover every character of an accepted text. Translating it token by token must give the canonical text.
"""

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from randomizer.cards.game import Wishes
from randomizer.cards.selector import TERM_CATEGORIES
from randomizer.cards.wish import parse_wishes
from randomizer.text.errors import BadSelector
from randomizer.text.slugs import slugify
from tests.cards.test_selector import _WORDS, GAME

ASCII = str.maketrans("！＝＞＜：２ＣＯＳＴ３〜’", "!=><:2COST3-'")
SYMBOLS = {"≥": ">=", "≤": "<=", "≠": "!=", "==": "="}
SEPARATOR = r"(?:\s*[-_/]\s*|\s+)"
COMPARISON = r"(?:[<>=!]=|[<>=≥≤≠])"
RANGE = r"(?:\d{1,3}-\d{1,3}|\d{1,3}[-+]?|-\d{1,3})"


def _list_values() -> Mapping[str, Mapping[str, str]]:
    """Return the value of each word that the parser knows, by the category of the term."""
    return _WORDS._build_tables(slugify, is_english=True).values_by_category


def list_spellings() -> list[str]:
    """Return every way to write each term of the game, as regular expressions, the longest first."""
    spellings = []
    for category, values in _list_values().items():
        slugs = {*values, *(slug.replace("-", "") for slug in values if category == "set")}
        spellings += [rf"{category}\s*:\s*{slug.replace('-', SEPARATOR)}" for slug in slugs]
        spellings += [slug.replace("-", SEPARATOR) for slug in slugs if category != "brings"]
    return sorted(set(spellings), key=len, reverse=True)


COST = rf"cost\s*(?::\s*)?{COMPARISON}\s*(?:{RANGE}|potion|debt)|cost\s*:\s*(?:{RANGE}|potion|debt)"
END = rf"(?=\s|$|{COMPARISON})"
TERM = rf"(?:(?:{COST}|{'|'.join(list_spellings())}){END})"
OPERAND = rf"(?:not\s+|!\s*)*{TERM}"
SELECTOR = rf"{OPERAND}(?:\s+(?:and|or)\s+{OPERAND})*"
WISH = rf"\s*{SELECTOR}\s*(?:{COMPARISON}\s*{RANGE}(?=\s|$))?(?:\s+if\s+{SELECTOR})?\s*"
WEIGHT = rf"\s*{SELECTOR}\s*==?\s*\d{{1,4}}(?:\.\d{{1,3}})?\s*"


def normal(text: str) -> str:
    return normalize("NFC", text).translate(ASCII).casefold()


def bounds(comparison: str, text: str) -> tuple[int, int | None]:
    """Return the least and the greatest number that meets a comparison."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    low, high = numbers[0], numbers[-1]
    if text.startswith("-"):
        low = 0
    elif text.endswith(("-", "+")):
        return (low, None) if comparison == "=" else (0, low - 1)
    match comparison:
        case ">" | ">=":
            return low + (comparison == ">"), None
        case "<" | "<=":
            return 0, high - (comparison == "<")
        case "!=":
            return (high + 1, None) if low == 0 else (-1, -1)
        case _:
            return low, high


def render_cost(text: str) -> str:
    comparison, amount = re.fullmatch(rf"cost\s*:?\s*({COMPARISON})?\s*(.*)", text).groups()  # type: ignore[union-attr]
    comparison = SYMBOLS.get(comparison, comparison) or "="
    negation = "not " * (comparison == "!=")
    if amount in ("potion", "debt"):
        return f"{negation}cost:{amount}"
    low, high = bounds("=" if negation else comparison, amount)
    numbers = f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"
    return f"{negation}cost:{numbers}"


def translate(text: str) -> str:
    """Translate a wish or weight into its canonical text, token by token."""
    tokens = []
    for match in re.finditer(
        rf"(?P<term>{TERM})|(?P<word>and|or|not|!(?!=)|if)|(?P<end>\S.*?(?=\s+if\s|$))", text
    ):
        term, word, end = match.groups()
        if word:
            tokens.append({"!": "not"}.get(word, word))
        elif term and term.startswith("cost"):
            tokens += render_cost(term).split(" ")
        elif term:
            tokens.append(_WORDS.parse_term(re.sub(r"[-_/\s]+", " ", term)).text)
        elif end.strip():
            tokens.append(end.strip())
    canonical = " ".join(tokens)
    while "not not " in canonical:
        canonical = canonical.replace("not not ", "")
    return canonical


def render_wish(text: str) -> str:
    """Translate a wish, with its count in canonical form."""
    canonical = translate(text)
    match = re.fullmatch(rf"(.*?) ({COMPARISON})\s*({RANGE})( if .*)?", canonical)
    if not match:
        return canonical
    selector, comparison, count, condition = match.groups("")
    low, high = bounds(SYMBOLS.get(comparison, comparison), count)
    if (low, high) == (1, None):
        shown = ""
    elif low == high:
        shown = f"={low}"
    else:
        shown = f"={low or ''}-{'' if high is None else high}"
    return f"{selector}{shown}{condition}"


VALID = [
    *(
        "sweet=2",
        "cake and not pie or fruit/nuts=1-2 if high tea",
        "card:quick",
        "type:sweet>=2",
        "cost:3-4=2-",
    ),
    *(
        "!sweet=1",
        "not cost!=3",
        "cost>=3 and dish",
        "sweet!=0",
        "brings:baked=-1",
        "Fruit - Nuts==03",
        "pie if !soup",
    ),
    *(
        "set:tea_1e<2 if cost:potion",
        "tea≥1",
        "ＣＯＳＴ＜３",
        "cost:5+=3+",
    ),
]
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["insert", "delete", "replace"]),
        st.integers(0, 60),
        st.sampled_from("!<>=-+_/'’ :0123aetfinor&|()~!！＝＞　２≥〜\u200b\u00ad\u0301é."),
    ),
    max_size=3,
)


def mutate(text: str, edits: list[tuple[str, int, str]]) -> str:
    for edit, index, char in edits:
        index %= len(text) + 1
        text = text[:index] + char * (edit != "delete") + text[index + (edit != "insert") :]
    return text


def parse(option: str, typed: str) -> Wishes | BadSelector:
    """Parse a value of an option, or return the error, whose position must be inside the typed text."""
    texts: dict[str, Any] = {option: [typed]}
    try:
        return parse_wishes(_WORDS, **texts)
    except BadSelector as problem:
        error = problem
    assert 0 <= error.start <= error.end <= len(error.text)
    assert normal(error.text) == normal(typed)
    return error


@settings(max_examples=1_000)
@given(st.sampled_from(VALID), EDITS)
@example("sweet=2", [("insert", 5, "!")])
@example("sweet=2", [("insert", 0, "-")])
@example("sweet!=0", [("delete", 6, "")])
@example("cake and not pie or fruit/nuts=1-2 if high tea", [("replace", 4, "-")])
def test_mutated_wish_means_what_was_typed_or_the_error_points_into_the_text(
    valid: str, edits: list[tuple[str, int, str]]
) -> None:
    typed = mutate(valid, edits).strip()
    text = normal(typed)
    parsed = parse("want", typed)
    if isinstance(parsed, BadSelector):
        is_plain = not re.search(r"[<>=≥≤≠\d]|^!", text)
        assert not is_plain or not re.fullmatch(WISH, text)
    elif typed:
        assert re.fullmatch(WISH, text), typed
        assert [wish.text for wish in parsed.wants] == [render_wish(text)]


@settings(max_examples=500)
@given(st.sampled_from(["sweet=2", "cake or pie = 0.5", "not cost>=3=1.25", "high tea==10"]), EDITS)
def test_mutated_weight_means_what_was_typed_or_the_error_points_into_the_text(
    valid: str, edits: list[tuple[str, int, str]]
) -> None:
    typed = mutate(valid, edits).strip()
    text = normal(typed)
    parsed = parse("weight", typed)
    if not isinstance(parsed, BadSelector) and typed:
        assert re.fullmatch(WEIGHT, text), typed
        selector, _, number = (part.strip() for part in text.rpartition("="))
        (weight,) = parsed.weights
        assert float(weight.factor) == float(number)
        assert weight.selector.text == translate(selector.removesuffix("=").strip())


@pytest.mark.parametrize("text", VALID)
def test_valid_texts_are_accepted(text: str) -> None:
    assert [wish.text for wish in parse_wishes(_WORDS, want=[text]).wants] == [render_wish(normal(text))]


def test_the_grammar_knows_every_card_of_the_game() -> None:
    for name in re.findall(r"name: ([\w/ ]+)", GAME.partition("cards:")[2]):
        assert re.fullmatch(TERM, slugify(name)) and re.fullmatch(TERM, f"card:{slugify(name)}")
    assert set(_list_values()) == set(TERM_CATEGORIES)
