"""Tests of selectors: terms, operators, canonical texts and errors."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.cards.game import Game
from randomizer.cards.model import Named
from randomizer.cards.selector import TERM_CATEGORIES, SelectorParser, build_profile
from randomizer.text.errors import BadSelector, UnknownName
from randomizer.text.language import Language
from randomizer.text.slugs import slugify
from tests.support.tea import read_game_texts

GAME = """
game: tea
title: Tea Party
players: {least: 1, most: 4}
kinds:
  dish: {is: pile, place: kingdom, title: Dishes}
  part: {is: member}
  spice: {is: pile, place: supply}
  rest: {is: pile, place: beside}
  guest: {is: landscape, title: Guests}
does: {filling: fills, quick: is soon done}
wishes: {picnic: [filling, quick=2-]}
sets: {tea: Tea, high: High Tea}
boxes:
  - {slug: tea-1e, name: Tea 1E, holds: [tea], edition: 1}
  - {slug: tea-2e, name: Tea 2E, holds: [tea], edition: 2}
  - {slug: high, name: High Tea, holds: [high], edition: 1}
opening: []
cards:
  - {name: Cake, set: tea, kind: dish, cost: 3, types: [Sweet], does: [filling], count: 10}
  - {name: Pie, set: tea, edition: 1, kind: dish, cost: 4 P, types: [Sweet, Baked], does: [filling]}
  - {name: Soup, set: tea, kind: dish, cost: 2, types: [Plain], setup: {put: Crouton}, also: [Broth]}
  - {name: Crouton, set: tea, kind: rest, cost: 0, types: [Baked], setup: {put: [Salt, Basket]}}
  - {name: Salt, set: tea, kind: spice, cost: 0, types: [White]}
  - {name: Basket, set: tea, kind: rest, types: [Wicker], pile: {Roll: 5}}
  - {name: Roll, set: tea, kind: part, cost: 1, types: [Plain, Tiny]}
  - {name: Fruit/Nuts, set: high, kind: dish, cost: 5, types: [Plain], does: quick, pile: {Fruit: 5, Nuts: 5}}
  - {name: Fruit, set: high, kind: part, cost: 5, types: [Plain]}
  - {name: Nuts, set: high, kind: part, cost: 7, types: [Sweet]}
  - {name: Quick, set: high, kind: dish, cost: 8D, types: [Plain]}
  - {name: Hare, set: high, kind: guest, cost: 3, types: [Guest]}
  - {name: Hatter, set: tea, kind: guest, types: [Guest]}
"""
EVERY = ["Cake", "Fruit/Nuts", "Hare", "Hatter", "Pie", "Quick", "Soup"]
FRENCH = Language(
    "fr",
    sets={"tea": "Thé"},
    set_aliases={"Goûter": "tea"},
    boxes={"high": "Grand thé"},
    types={"Sweet": "Doux"},
    phrases={"filling": "nourrissant", "Guests": "Invités", "landscape": "paysage"},
)


@pytest.fixture(scope="module")
def tea(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return read_game_texts(tmp_path_factory.mktemp("tea"), GAME)


@pytest.fixture(scope="module")
def words(tea: Game) -> SelectorParser:
    return SelectorParser(tea, [FRENCH], [{"Cake": Named("Gâteau", also=("Gâtel",))}])


def meant(words: SelectorParser, text: str) -> list[str]:
    """Return the names of the cards that match a selector."""
    game = words.game
    pool = game.get_pool(("tea-1e", "tea-2e", "high"))
    selector = words.parse(text)
    return [name for name in EVERY if selector.matches(build_profile(game.cards[name], game, pool))]


class TestTerms:
    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("Cake", "Cake"),
            ("cAKE", "Cake"),
            ("Gâteau", "Cake"),
            ("gâtel", "Cake"),
            ("broth", "Soup"),
            ("Fruit/Nuts", "Fruit/Nuts"),
            ("fruit-nuts", "Fruit/Nuts"),
            ("sweet", "Cake Fruit/Nuts Pie"),
            ("doux", "Cake Fruit/Nuts Pie"),
            ("filling", "Cake Pie"),
            ("nourrissant", "Cake Pie"),
            ("guest", "Hare Hatter"),
            ("Guests", "Hare Hatter"),
            ("invités", "Hare Hatter"),
            ("landscape", "Hare Hatter"),
            ("paysage", "Hare Hatter"),
            ("dish", "Cake Fruit/Nuts Pie Quick Soup"),
            ("high", "Fruit/Nuts Hare Quick"),
            ("high tea", "Fruit/Nuts Hare Quick"),
            ("grand thé", "Fruit/Nuts Hare Quick"),
            ("tea", "Cake Hatter Pie Soup"),
            ("thé", "Cake Hatter Pie Soup"),
            ("tea-1e", "Cake Hatter Pie Soup"),
            ("tea-2e", "Cake Hatter Soup"),
            ("goûter", "Cake Hatter Pie Soup"),
            ("landscapes", "Hare Hatter"),
            ("dishes", "Cake Fruit/Nuts Pie Quick Soup"),
        ],
    )
    def test_term_is_found_in_any_language_and_case(
        self, words: SelectorParser, text: str, names: str
    ) -> None:
        assert meant(words, text) == names.split()

    def test_word_takes_precedence_over_card_name(self, words: SelectorParser) -> None:
        assert meant(words, "quick") == ["Fruit/Nuts"]
        assert meant(words, "card:quick") == ["Quick"]

    def test_prefix_selects_the_category(self, words: SelectorParser) -> None:
        assert meant(words, "does:quick") == ["Fruit/Nuts"]
        assert meant(words, "kind:guest") == meant(words, "type:guest") == ["Hare", "Hatter"]
        assert meant(words, "set:tea-2e") == ["Cake", "Hatter", "Soup"]
        assert meant(words, "TYPE: sweet") == ["Cake", "Fruit/Nuts", "Pie"]

    def test_member_matches_its_pile_and_exchange_line(self, words: SelectorParser) -> None:
        assert meant(words, "Nuts") == ["Fruit/Nuts"]
        assert meant(words, "Crouton") == ["Soup"]

    def test_type_is_that_of_the_cards_of_the_pile(self, words: SelectorParser) -> None:
        """Soup brings a Crouton, which is baked; of Fruit and Nuts, only Nuts are sweet."""
        assert meant(words, "baked") == meant(words, "type:baked") == ["Pie"]
        assert meant(words, "sweet") == ["Cake", "Fruit/Nuts", "Pie"]

    def test_brings_selects_the_types_of_what_a_card_brings(self, words: SelectorParser) -> None:
        assert meant(words, "brings:baked") == meant(words, "not not BRINGS: Baked") == ["Soup"]
        assert meant(words, "brings:sweet") == meant(words, "brings:plain") == []
        assert meant(words, "baked or brings:baked") == ["Pie", "Soup"]
        with pytest.raises(BadSelector, match="unknown type 'bakd'; did you mean baked"):
            words.parse("brings:bakd")

    def test_supply_piles_and_mixed_piles_brought_along_do_not_match(self, words: SelectorParser) -> None:
        """Salt belongs to everybody, and of a basket brought along nobody knows what one gets."""
        assert meant(words, "white") == meant(words, "wicker") == meant(words, "tiny") == []


class TestCosts:
    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("cost:3", "Cake Hare"),
            ("cost:2-3", "Cake Hare Soup"),
            ("COST: 2-4", "Cake Hare Soup"),
            ("cost:-2", "Soup"),
            ("cost:3+", "Cake Fruit/Nuts Hare"),
            ("cost:potion", "Pie"),
            ("cost:debt", "Quick"),
            ("cost:0-99", "Cake Fruit/Nuts Hare Soup"),
            ("cost:7", ""),
            ("cost:3-", "Cake Fruit/Nuts Hare"),
            ("cost:>=3", "Cake Fruit/Nuts Hare"),
            ("cost > 2", "Cake Fruit/Nuts Hare"),
            ("cost≥3", "Cake Fruit/Nuts Hare"),
            ("cost<3", "Soup"),
            ("COST<=2", "Soup"),
            ("cost:≤2", "Soup"),
            ("cost=3", "Cake Hare"),
            ("cost==2-3", "Cake Hare Soup"),
            ("cost!=3", "Fruit/Nuts Hatter Pie Quick Soup"),
            ("cost≠3 and guest", "Hatter"),
            ("not cost!=3", "Cake Hare"),
            ("cost=potion", "Pie"),
            ("cost!=debt and dish", "Cake Fruit/Nuts Pie Soup"),
            ("cost>=3 and dish or soup", "Cake Fruit/Nuts Soup"),
        ],
    )
    def test_cost_in_coins_excludes_other_costs(self, words: SelectorParser, text: str, names: str) -> None:
        assert meant(words, text) == names.split()

    @pytest.mark.parametrize(
        "text",
        [
            *("cost", "cost:", "cost=", "cost:x", "cost:-", "cost:+", "cost:-3+", "cost:+3", "cost:3-+"),
            *("cost:1000", "cost:²", "cost>=2-3", "cost<x", "cost>=potion"),
        ],
    )
    def test_invalid_cost_is_refused(self, words: SelectorParser, text: str) -> None:
        with pytest.raises(BadSelector, match="cost"):
            words.parse(text)


class TestOperators:
    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("sweet and filling", "Cake Pie"),
            ("sweet and not filling", "Fruit/Nuts"),
            ("soup or hare", "Hare Soup"),
            ("not dish", "Hare Hatter"),
            ("!dish", "Hare Hatter"),
            ("! dish and !card:hare", "Hatter"),
            ("！ｄｉｓｈ", "Hare Hatter"),
            ("not !guest or !!!dish", "Hare Hatter"),
            ("not not guest", "Hare Hatter"),
            ("hare or sweet and filling", "Cake Hare Pie"),
            ("filling and sweet or hare", "Cake Hare Pie"),
            ("not sweet and not guest or cake", "Cake Quick Soup"),
            ("sweet AND Filling", "Cake Pie"),
            ("cost:3 and guest or high tea and dish", "Fruit/Nuts Hare Quick"),
        ],
    )
    def test_operators_have_precedence_not_and_or(self, words: SelectorParser, text: str, names: str) -> None:
        assert meant(words, text) == names.split()


class TestCanonicalText:
    @pytest.mark.parametrize(
        ("text", "typed"),
        [
            ("Gâteau", "cake"),
            ("Fruit/Nuts", "fruit-nuts"),
            ("card:Quick", "card:quick"),
            ("nourrissant", "filling"),
            ("Thé", "tea"),
            ("kind:guest", "kind:guest"),
            ("Grand thé and NOT doux", "high and not sweet"),
            ("cost: 03", "cost:3"),
            ("cost:-4", "cost:0-4"),
            ("cost:2-2", "cost:2"),
            ("cost>=5", "cost:5+"),
            ("cost<5", "cost:0-4"),
            ("cost!=5", "not cost:5"),
            ("!cake", "not cake"),
            ("brings:Baked", "brings:baked"),
            ("high_tea", "high"),
            ("hightea", "high"),
            ("cost:5+ or  not not soup", "cost:5+ or soup"),
        ],
    )
    def test_canonical_text_is_language_independent(
        self, words: SelectorParser, text: str, typed: str
    ) -> None:
        assert words.parse(text).text == typed
        assert SelectorParser(words.game).parse(typed) == words.parse(text)

    def test_every_term_has_a_canonical_text_with_the_same_meaning(self, game: Game) -> None:
        words = SelectorParser(game)
        for word in words.list_terms():
            selector = words.parse(word)
            assert words.parse(selector.text) == selector


def test_list_terms_includes_all_categories(words: SelectorParser) -> None:
    typed = words.list_terms()
    assert typed == sorted(set(typed)) and not {"", "wait"} & set(typed)
    assert {"sweet", "quick", "guests", "landscape", "high-tea", "fruit-nuts", "invités"} <= set(typed)
    costs = [word for word in typed if ":" in word]
    assert costs == ["cost:2", "cost:3", "cost:4", "cost:5", "cost:debt", "cost:potion"]


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("swet", ["unknown card, set or type 'swet'; did you mean sweet or basket?"]),
            ("type:swet", ["unknown type 'swet'; did you mean sweet?"]),
            ("cake and swet or pie", ["unknown card, set or type 'swet'", "  cake and [swet] or pie"]),
            ("not a  dish", ["unknown card, set or type 'a  dish'", "  not [a  dish]"]),
            ("cake and", ["a name or word is missing after 'and'.", "  cake and []"]),
            ("cake or not", ["a name or word is missing after 'not'.", "  cake or not []"]),
            ("or cake", ["a name or word is missing.", "  [] or cake"]),
            ("", ["a name or word is missing."]),
            ("cake and type:zzz", ["unknown type 'zzz'.", "  cake and [type:zzz]"]),
        ],
    )
    def test_error_points_at_the_word(self, words: SelectorParser, text: str, lines: Iterable[str]) -> None:
        with pytest.raises(BadSelector) as raised:
            words.parse(text)
        assert len(raised.value.render_lines()) == len(list(lines))
        assert all(
            said.startswith(line) for said, line in zip(raised.value.render_lines(), lines, strict=True)
        )

    def test_error_shortens_long_text(self, words: SelectorParser) -> None:
        assert words.parse("not " * 249 + "cake").text == "not cake"
        with pytest.raises(BadSelector) as raised:
            words.parse("not " * 249 + "cake ")
        assert raised.value.render_lines() == ("a selector can have at most 1000 characters.",)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("does:quik", "unknown ability 'quik'; did you mean quick?"),
            ("kind: gest ", "unknown kind 'gest'; did you mean guest, guests or rest?"),
            ("foo:sweet", "unknown card, set or type 'foo:sweet'; did you mean sweet?"),
            ("set:hi", "unknown set 'hi'; did you mean high or high-1e?"),
            ("c", "unknown card, set or type 'c'; did you mean cake or crouton?"),
            ("cost:x", "unknown cost 'x'; write costs as 3, 2-4, -4, 5+, potion or debt."),
            ("cost:4-2", "'4-2' is the wrong way round; did you mean 2-4?"),
            ("cost<0", "no number is <0.  cost<[0]"),
            ("cost>999", "no number is >999.  cost>[999]"),
        ],
    )
    def test_error_names_category_and_suggestions(self, words: SelectorParser, text: str, said: str) -> None:
        """At most three: the most similar term, then the shortest terms with this beginning."""
        with pytest.raises(BadSelector) as raised:
            words.parse(text)
        assert "".join(raised.value.render_lines()) == said

    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("-cake", ["'-' has no meaning here; write not cake.", "  [-]cake"]),
            ("－cake", ["'-' has no meaning here; write not cake.", "  [－]cake"]),
            ("pie or -high tea", ["'-' has no meaning here; write not high tea.", "  pie or [-]high tea"]),
            ("cake-", ["'-' has no meaning here.", "  cake[-]"]),
            ("card:--", ["'-' has no meaning here.", "  card:-[-]"]),
            ("high--tea", ["'-' has no meaning here.", "  high-[-]tea"]),
            ("/cake", ["'/' has no meaning here.", "  [/]cake"]),
            ("cake&pie", ["'&' has no meaning here; write and.", "  cake[&]pie"]),
            ("cake | pie", ["'|' has no meaning here; write or.", "  cake [|] pie"]),
            ("(cake", ["'(' has no meaning here.", "  [(]cake"]),
            ("（cake）", ["'(' has no meaning here.", "  [（]cake）"]),
            ("cake!", ["'!' has no meaning here.", "  cake[!]"]),
            ("ca\u200bke", ["'\\u200b' has no meaning here.", "  ca[\\u200b]ke"]),
            ("cake\ufeff", ["'\\ufeff' has no meaning here.", "  cake[\\ufeff]"]),
            ("cake=2", ["'=' has no meaning here.", "  cake[=]2"]),
            ("cake>=", ["'>=' has no meaning here.", "  cake[>=]"]),
            ("cake if pie", ["'if' has no meaning here.", "  cake [if] pie"]),
            ("cake not pie", ["'and' or 'or' is missing before 'not'.", "  cake [not] pie"]),
            ("cake !pie", ["'and' or 'or' is missing before '!'.", "  cake [!]pie"]),
            ("cost=>3", ["'=>' is not a comparison; write =, !=, <, <=, > or >=.", "  cost[=>]3"]),
            ("cake and !", ["a name or word is missing after '!'.", "  cake and ! []"]),
        ],
    )
    def test_error_points_at_the_character(self, words: SelectorParser, text: str, lines: list[str]) -> None:
        with pytest.raises(BadSelector) as raised:
            words.parse(text)
        assert [*raised.value.render_lines()] == lines

    @pytest.mark.parametrize(
        "text", ["ca'ke", "cake's", "type::sweet", "fruit.nuts", "cake²", "card:card:cake"]
    )
    def test_name_with_a_character_too_many_is_unknown(self, words: SelectorParser, text: str) -> None:
        with pytest.raises(BadSelector):
            words.parse(text)
        with pytest.raises(UnknownName):
            words.find_card(text)

    @pytest.mark.parametrize(
        "text", ["Mad Hatter's Tea & Co.", "mad hatters tea co", "Mad_Hatter’s Tea & Co."]
    )
    def test_name_with_unusual_characters_is_typed_in_full_or_as_slug(
        self, tmp_path: Path, text: str
    ) -> None:
        game = read_game_texts(tmp_path, GAME.replace("Hare,", '"Mad Hatter\'s Tea & Co.",'))
        assert SelectorParser(game).find_card(text).name == "Mad Hatter's Tea & Co."
        for typed in ("Mad Hatters Tea & Co.", "Mad Hatter's Tea  && Co.", "Mad Hatter's Tea Co!"):
            with pytest.raises(UnknownName):
                SelectorParser(game).find_card(typed)

    def test_error_points_at_the_word_after_a_decomposed_accent(self, words: SelectorParser) -> None:
        with pytest.raises(BadSelector) as raised:
            words.parse("ga\u0302teau and zzz")
        assert raised.value.highlighted == "gâteau and [zzz]"

    def test_find_card_accepts_card_names_only(self, words: SelectorParser) -> None:
        assert words.find_card("card:quick").name == words.find_card(" QUICK ").name == "Quick"
        assert words.find_card("Gâtel").name == "Cake"
        with pytest.raises(UnknownName, match=r"^unknown card 'sweet'\.$"):
            words.find_card("sweet")
        with pytest.raises(UnknownName, match=r"^unknown card 'Kake'; did you mean Cake or Basket\?$"):
            words.find_card(" Kake ")

    def test_own_names_take_precedence_and_shared_readings_are_ambiguous(self, tea: Game) -> None:
        french = {"Cake": Named("Gâteau", "gato"), "Pie": Named("Tarte", "gato", also=("Soupe",))}
        words = SelectorParser(tea, [FRENCH], [{**french, "Soup": Named("Soupe")}])
        assert words.find_card("Soupe").name == words.parse_term("soupe").text.title() == "Soup"
        for look_up in (words.find_card, words.parse_term):
            with pytest.raises(UnknownName, match=r"^unknown card 'gato'; did you mean Cake or Pie\?$"):
                look_up("gato")
        assert "gato" not in words.list_terms()

    @given(st.text(max_size=60))
    def test_any_text_is_parsed_or_refused(self, text: str) -> None:
        try:
            selector = _WORDS.parse(text)
        except BadSelector:
            return
        assert _WORDS.parse(selector.text) == selector


def _tea() -> Game:
    from tempfile import mkdtemp

    return read_game_texts(Path(mkdtemp()), GAME)


_WORDS = SelectorParser(_tea())


def test_terms_of_the_game_are_ambiguous_only_between_kind_and_type(game: Game) -> None:
    """Else the word would have to be said with its sort; names of cards always can be."""
    values = SelectorParser(game)._build_tables(slugify, is_english=True).values_by_category
    known = {sort: set(values[sort]) for sort in TERM_CATEGORIES if sort != "card"}
    assert not known["does"] & (known["type"] | known["kind"] | known["set"])
    assert not known["set"] & (known["type"] | known["kind"])
    kinds = {kind for kind in game.kinds if game.kinds[kind].is_ == "landscape"}
    assert known["type"] & known["kind"] <= kinds
