"""Questions: the names in them, when an entry is shown in full, and what is reported if there is none."""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO

import pytest

from randomizer.load import games, languages
from randomizer.rules.entry import localize
from randomizer.rules.index import Index
from randomizer.rules.index_builder import build_index
from randomizer.rules.lookup import Answer, answer_query, open_index
from randomizer.rules.question import Question, find_unknown_words
from randomizer.rules.rulefile import Rulebooks
from randomizer.rules.search import look_up
from randomizer.text.folding import find_word_edges, fold, romaji_to_hiragana
from randomizer.text.language import ENGLISH
from randomizer.text.slugs import slugify
from tests.support import EXAMPLE_FACTOR, TESTS_DIR, run
from tests.support.quality import load_sample_questions


@pytest.fixture(scope="session")
def index() -> Index:
    return open_index()


def ids_in_full(answer: Answer) -> list[str]:
    """Return the IDs of the entries that are shown in full."""
    lists = answer.lists if answer.is_in_full else []
    return [entry.id for each in lists if each.is_in_full for entry in each.entries]


def first_id(index: Index, query: str) -> str:
    """Return the ID of the first entry that a query finds; an empty one if there is none."""
    found = look_up(index, query).doc_ids
    return index.entry(found[0]).id if found else ""


def iter_card_names() -> Iterator[tuple[str, str, str]]:
    """Yield (card, name, language code) for the name of every card in each language."""
    japanese = languages.load_card_names("ja", games.load())
    for card in games.load().cards:
        yield card, card, ENGLISH
        yield card, japanese[card].name, "ja"


def test_general_question_about_the_discard_pile_is_not_answered_by_a_card(index: Index) -> None:
    """An alias without the card's name made the entry of Settlers the answer. The rule says the opposite."""
    answer = answer_query(index, "can I look through the discard pile")
    assert "settlers" not in ids_in_full(answer)


DEFINITION_QUESTIONS = {
    ENGLISH: ("{}", "how does {} work", "what does {} do?", "explain the {} card"),
    "ja": ("{}", "{}の効果は？", "{}ってどんなカード？", "{}とは", "{}について教えて"),
}


class TestNamesInQuestions:
    def test_definition_question_about_each_card_shows_only_its_entries(self, index: Index) -> None:
        """Each name is tried with one phrasing, taking turns; with all of them if `MORE` is set.

        An entry in full has the card's ID or concerns the card; otherwise there is the card's page.
        """
        wrong = []
        for place, (card, name, code) in enumerate(iter_card_names()):
            for question in (
                DEFINITION_QUESTIONS[code]
                if EXAMPLE_FACTOR > 1
                else DEFINITION_QUESTIONS[code][place // 2 % 4 :: 4]
            ):
                answer = answer_query(index, question.format(name))
                for each in answer.lists:
                    for entry in each.entries if each.is_in_full else ():
                        if entry.id != slugify(card) and card not in (
                            *entry.cards,
                            localize(entry.title, ENGLISH),
                        ):
                            wrong.append((question.format(name), entry.id))
                if not answer.card and not ids_in_full(answer):
                    wrong.append((question.format(name), "no page"))
        assert wrong == []

    def test_each_entry_is_found_by_its_id(self, index: Index) -> None:
        """This includes IDs that are card names. If two books have the same ID, the first book wins."""
        ids = {entry.id for entry in index.entries("dominion")}
        assert [id_ for id_ in ids if id_ not in ids_in_full(answer_query(index, id_))] == []

    @pytest.mark.parametrize(
        ("question", "cards"),
        [
            ("can I reveal Moat twice", ["Moat"]),
            ("do two Witches give two Curses", ["Witch", "Curse"]),
            ("how do Young Witches work", ["Young Witch"]),
            ("堀は2回公開できる？", ["Moat"]),
            ("ほりを2回公開できる？", ["Moat"]),
            ("サルって右隣だけ？", ["Monkey"]),
            ("わたしもりの山が空になったら", ["Ferryman"]),
            ("かりゅうどで何枚引ける？", ["Hunter"]),
            ("輸入者と渡し守", ["Importer", "Ferryman"]),
            ("渡し守 秘密の洞窟", ["Ferryman", "Secret Cave"]),
            ("Throne Room と渡し守", ["Throne Room", "Ferryman"]),
            ("村人はいつ使う", []),
            ("ほりゅうした効果", []),
        ],
    )
    def test_question_has_cards(self, index: Index, question: str, cards: list[str]) -> None:
        assert [name.card for name in Question(index, question).cards] == cards

    @pytest.mark.parametrize(
        ("question", "meant"),
        [
            ("does the Trade Event trash Curses", True),
            ("can I trade cards with another player", False),
            ("拡張はいくつある", False),
            ("my opponent has two Travellers, can I exchange mine", False),
            ("can I exchange a card for Mine", True),
            ("10枚のうち1枚だけ", False),
            ("店にあるカードは買える？", False),
            ("安いカードを獲得する", False),
            ("借金トークン", False),
            ("地下貯蔵庫は何枚捨てる", True),
            ("which side up is the Journey token", False),
            ("can I buy Journey twice", True),
            ("the pile of the Bane Page", True),
            ("event save, may I look at it", True),
            ("the reckless trait and a card that trashes itself", True),
            ("保存イベントで置いたカードはいつ戻る", True),
            ("can I save a Silver for a later Event", False),
        ],
    )
    def test_ambiguous_name_means_the_card_or_not(self, index: Index, question: str, meant: bool) -> None:
        assert Question(index, question).cards[0].means_card == meant

    def test_every_ambiguous_name_is_a_card_name(self, index: Index) -> None:
        words = index.lexicon.ambiguous_names
        assert len(words) > 100 and [word for word in words if not index.find_exact(word).cards] == []

    def test_card_page_starts_with_an_answer_that_does_not_concern_the_card(self, index: Index) -> None:
        answer = answer_query(index, "can Throne Room play a Night card")
        ids = [entry.id for each in answer.lists[:2] for entry in each.entries]
        assert (answer.card, ids) == ("Throne Room", ["night-cards", "throne-room-card"])

    def test_reading_of_several_cards_lists_all_of_them(self, index: Index) -> None:
        called: dict[str, set[str]] = defaultdict(set)
        for card, name in languages.load_card_names("ja", games.load()).items():
            called[fold(name.reading)].add(slugify(card))
        alike = {reading: ids for reading, ids in called.items() if reading and len(ids) > 1}
        assert alike
        for reading, ids in alike.items():
            for question in (reading, f"{reading}の効果は？"):
                answer = answer_query(index, question)
                assert {entry.id for each in answer.lists for entry in each.entries} == ids
                assert (answer.card, ids_in_full(answer)) == ("", [])

    @pytest.mark.parametrize(
        ("one", "other"), [("輸入者と渡し守", "渡し守と輸入者"), ("災い 渡し守", "渡し守 災い")]
    )
    def test_two_names_are_found_in_either_order(self, index: Index, one: str, other: str) -> None:
        assert first_id(index, one) == first_id(index, other) != ""


class TestCertainty:
    def test_unanswerable_questions_rarely_get_an_entry_in_full(self, index: Index) -> None:
        """At most one in thirty is accepted."""
        with open(TESTS_DIR / "unanswerable.csv", encoding="utf-8", newline="") as file:
            questions = [row["query"] for row in csv.DictReader(file)]
        answered = [question for question in questions if ids_in_full(answer_query(index, question))]
        assert len(questions) > 90 and len(answered) <= 3, answered

    def test_sample_questions_lead_to_their_entries(self, index: Index) -> None:
        """Most lead to their entry in full, and hardly any to another entry in full.

        One question in forty is tried; one in twenty if `MORE` is set.
        """
        questions = [
            (id_, question)
            for (game, id_), asks in load_sample_questions().items()
            for several in asks.values()
            for question in several
            if game == "dominion"
        ][:: 20 if EXAMPLE_FACTOR > 1 else 40]
        found = [(id_, ids_in_full(answer_query(index, question))) for id_, question in questions]
        assert sum(id_ in ids for id_, ids in found) >= 0.7 * len(found)
        assert sum(bool(ids) and id_ not in ids for id_, ids in found) <= 0.03 * len(found)

    @pytest.mark.parametrize("game", ["arkham", "pergamemnon", None])
    def test_suggestions_are_distinct_and_from_the_searched_book(
        self, index: Index, game: str | None
    ) -> None:
        """This holds even if other books have an exact match."""
        entries = [entry for book in index.doc_id_ranges for entry in index.entries(book)]
        of_the_book = {entry.title[ENGLISH] for entry in entries if game in (None, entry.game)}
        halves = [f"{title[::2]}{title[1:4]}" for entry in entries[::20] for title in entry.title.values()]
        named = 0
        for query in ("えじぷと", "玉座の", *halves):
            for aside in answer_query(index, query, game).notes:
                hits = getattr(dict(aside.values).get("hits"), "parts", ())
                english = [hit if isinstance(hit, str) else hit[ENGLISH] for hit in hits]
                assert len(set(english)) == len(english) <= 3, query
                assert game is None or set(english) <= of_the_book, query
                named += len(english)
        assert named

    def test_guess_is_reported_in_the_chosen_language(self) -> None:
        assert "近い名前: トラベラー" in run("rules", "travelelr", "--lang", "ja").stderr
        assert "ペルガメムノンから" in run("rules", "えじぷと", "--lang", "ja").stderr
        assert "closest match: Travellers" in run("rules", "travelelr", "--lang", "en").stderr
        assert "。 " not in run("rules", "investigtr", "--lang", "ja").stderr

    def test_unanswerable_question_has_no_result_or_a_guess(self) -> None:
        nothing = run("rules", "how do planets move around distant stars", "--lang", "en")
        assert nothing.exit_code == 1 or nothing.stdout.startswith("No rule is certain to answer this.")

    @pytest.mark.parametrize(
        ("question", "words"),
        [
            ("how do I win at poker", "'poker'"),
            ("what does a Moat do in Monopoly and Scrabble", "'Monopoly', 'Scrabble'"),
            ("麻雀でリーチした後の手替わり", "'麻雀'"),
            ("ポケカのサポートは1ターンに何枚", "'ポケカ', 'サポート'"),
        ],
    )
    def test_unknown_words_are_reported(self, index: Index, question: str, words: str) -> None:
        assert f"no rulebook mentions {words}." in list(map(str, answer_query(index, question).notes))

    @pytest.mark.parametrize(
        "question",
        ["can somebody else see my cards", "who would have been the one to go", "どうしたらいいですか"],
    )
    def test_common_words_are_not_reported_as_unknown(self, index: Index, question: str) -> None:
        assert find_unknown_words(index, question) == []

    @pytest.mark.parametrize(
        ("question", "game", "id_"),
        [
            ("when does Pergamemnon end", "pergamemnon", "game-end"),
            ("ペルガメムノンで最初のプレイヤーって誰", "pergamemnon", "first-player"),
            ("Mulligan rule Arkham LCG", "arkham", "mulligan"),
            ("difference between exhausted and ready", "arkham", "ready"),
            ("dominion hand limit", "dominion", "deck-and-hand"),
        ],
    )
    def test_answer_is_from_the_expected_game(self, index: Index, question: str, game: str, id_: str) -> None:
        """If the question does not name the game, a note says which one the answer is from."""
        answer = answer_query(index, question)
        first = next(entry for each in answer.lists for entry in each.entries)
        assert (first.game, first.id) == (game, id_)
        named = index.lexicon.extract_game(question)[0]
        assert any("nothing found in Dominion" in str(aside) for aside in answer.notes) == (named != game)

    def test_extract_game_ignores_a_game_name_within_a_word(self, index: Index) -> None:
        assert index.lexicon.extract_game("dominions of old") == ("", "dominions of old")
        assert index.lexicon.extract_game("Dominion") == ("dominion", "")

    def test_entry_on_a_combination_is_found_only_by_its_main_card(self, index: Index) -> None:
        assert first_id(index, "does Moat stop Witch") in ("moat", "witch")
        assert first_id(index, "Secret Chamber and Witch") == "secret-chamber-attacks"

    def test_card_without_entries_has_a_page(self) -> None:
        books = Rulebooks({"dominion": {ENGLISH: "Dominion"}}, [], [])
        alone = Index(BytesIO(build_index(books, [games.load()], [])))
        answer = answer_query(alone, "Moat")
        assert (answer.card, answer.certainty, ids_in_full(answer)) == ("Moat", "likely", [])
        assert "Moat" in str(answer.notes[0])

    def test_card_page_includes_rules_close_to_the_question(self, index: Index) -> None:
        """They need not concern the card."""
        answer = answer_query(index, "I play Bard when the Boons pile is used up, what now")
        shown = [[entry.id for entry in each.entries] for each in answer.lists]
        requested, own, near, *_ = shown
        assert answer.card == "Bard" and {"bard", "boon"} <= {*requested, *own, *near} and 1 <= len(near) <= 3
        every = [entry for each in shown for entry in each]
        assert len(every) == len(set(every))
        assert not answer_query(index, "Bard").lists[2].entries

    @pytest.mark.parametrize("word", ["dominion", "yours", "belongs"])
    def test_single_common_word_is_not_sure(self, index: Index, word: str) -> None:
        assert answer_query(index, word).certainty != "sure"

    def test_json_has_sure_and_card(self) -> None:
        sure = json.loads(run("rules", "how does Moat work", "--json").stdout)
        assert (
            sure["certainty"] == "sure" and sure["card"] == "Moat" and sure["results"][0]["cards"] == ["Moat"]
        )
        unsure = json.loads(run("rules", "travell", "--json").stdout)
        assert unsure["certainty"] != "sure" and "card" not in unsure


class TestUncertainAnswers:
    @pytest.mark.parametrize(
        "query",
        [
            "my draw pile runs out in the middle of drawing",
            "can I keep cards for the next turn",
            "can I replace my opening hand",
        ],
    )
    def test_own_answer_is_preferred_to_other_games(self, index: Index, query: str) -> None:
        answer = answer_query(index, query)
        assert {entry.game for each in answer.lists for entry in each.entries} == {"dominion"}
        assert not any("nothing found in" in str(aside) for aside in answer.notes)

    @pytest.mark.parametrize("query", ["Bazaar with Throne Room", "銅細工師と玉座の間"])
    def test_entry_that_lacks_one_of_two_names_is_not_sure(self, index: Index, query: str) -> None:
        assert not look_up(index, query).is_in_full

    @pytest.mark.parametrize(
        "query", ["do I discard old milk after the date", "カタンの盗賊動かしたあと誰から奪うべき"]
    )
    def test_entry_with_low_coverage_is_a_guess(self, index: Index, query: str) -> None:
        assert look_up(index, query).match == "fuzzy"


class TestSynonymsAndScripts:
    @pytest.mark.parametrize(
        ("query", "entry"),
        [
            ("かくとくしたカードはどこに置く", "gain"),
            ("yamafuda", "deck-and-hand"),
            ("家宝カード", "heirloom"),
        ],
    )
    def test_synonym_finds_the_entry(self, index: Index, query: str, entry: str) -> None:
        assert first_id(index, query) == entry

    @pytest.mark.parametrize(
        ("romaji", "kana"),
        [
            ("yamafuda", "やまふだ"),
            ("kinka", "きんか"),
            ("shokunin", "しょくにん"),
            ("syokunin", "しょくにん"),
            ("kippu", "きっぷ"),
            ("hon ya", "ほにゃ"),
            ("xylophone", ""),
        ],
    )
    def test_romaji_to_hiragana(self, romaji: str, kana: str) -> None:
        assert romaji_to_hiragana(romaji) == kana

    def test_find_word_edges_of_katakana_and_digits(self) -> None:
        assert find_word_edges("モンキーで2枚") == ("もんきーで2枚", {0, 4, 7})
        assert fold("Throne Rooms と 堀") == "throne roomと堀"
