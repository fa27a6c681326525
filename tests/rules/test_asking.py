"""Asking: what is recognised in a question, when one entry is certain, and what is told where none is."""

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
from tests.support import HERE, MORE, run
from tests.support.quality import asked


@pytest.fixture(scope="session")
def index() -> Index:
    return open_index()


def full(answer: Answer) -> list[str]:
    """The ids of what is printed in full."""
    return [entry.id for each in answer.lists if each.is_in_full for entry in each.entries]


def first(index: Index, query: str) -> str:
    """The id of the first entry that a query leads to."""
    found = look_up(index, query).entries
    return index.entry(found[0]).id if found else ""


def names() -> Iterator[tuple[str, str, str]]:
    """Every card, with its name in each language, and the language's code."""
    japanese = languages.load_card_names("ja", games.load())
    for card in games.load().cards:
        yield card, card, ENGLISH
        yield card, japanese[card].name, "ja"


ASKED = {
    ENGLISH: ("{}", "how does {} work", "what does {} do?", "explain the {} card"),
    "ja": ("{}", "{}の効果は？", "{}ってどんなカード？", "{}とは", "{}について教えて"),
}


class TestNames:
    def test_whatever_is_asked_of_a_name_alone_is_about_the_card(self, index: Index) -> None:
        """In full stands nothing but an entry on the card, that with its id, or its page by the facts.

        Each name is asked in one of four ways, the next one in the next; where there is time, in all of them.
        """
        wrong = []
        for place, (card, name, code) in enumerate(names()):
            for question in ASKED[code] if MORE > 1 else ASKED[code][place // 2 % 4 :: 4]:
                answer = answer_query(index, question.format(name))
                for each in answer.lists:
                    for entry in each.entries if each.is_in_full else ():
                        if entry.id != slugify(card) and card not in (
                            *entry.cards,
                            localize(entry.title, ENGLISH),
                        ):
                            wrong.append((question.format(name), entry.id))
                if not answer.card and not full(answer):
                    wrong.append((question.format(name), "no page"))
        assert wrong == []

    def test_an_id_opens_its_entry(self, index: Index) -> None:
        """Also where a card is called so; of equal ids in two books the first book's."""
        ids = {entry.id for entry in index.entries("dominion")}
        assert [id_ for id_ in ids if id_ not in full(answer_query(index, id_))] == []

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
    def test_the_cards_in_a_question(self, index: Index, question: str, cards: list[str]) -> None:
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
    def test_an_ordinary_word_may_be_no_card(self, index: Index, question: str, meant: bool) -> None:
        assert Question(index, question).cards[0].is_meant == meant

    def test_every_ordinary_word_is_a_name(self, index: Index) -> None:
        words = index.lexicon.ambiguous_names
        assert len(words) > 100 and [word for word in words if not index.find_exact(word).cards] == []

    def test_on_a_cards_page_what_answers_and_is_not_about_the_card_comes_first(self, index: Index) -> None:
        answer = answer_query(index, "can Throne Room play a Night card")
        ids = [entry.id for entry in answer.lists[0].entries]
        assert (answer.card, ids) == ("Throne Room", ["night-cards", "throne-room-card"])

    def test_cards_that_are_read_alike_are_all_listed(self, index: Index) -> None:
        called: dict[str, set[str]] = defaultdict(set)
        for card, name in languages.load_card_names("ja", games.load()).items():
            called[fold(name.reading)].add(slugify(card))
        alike = {reading: ids for reading, ids in called.items() if reading and len(ids) > 1}
        assert alike
        for reading, ids in alike.items():
            for question in (reading, f"{reading}の効果は？"):
                answer = answer_query(index, question)
                assert {entry.id for each in answer.lists for entry in each.entries} == ids
                assert (answer.card, full(answer)) == ("", [])

    @pytest.mark.parametrize(
        ("one", "other"), [("輸入者と渡し守", "渡し守と輸入者"), ("災い 渡し守", "渡し守 災い")]
    )
    def test_two_names_in_either_order(self, index: Index, one: str, other: str) -> None:
        assert first(index, one) == first(index, other) != ""


class TestCertainty:
    def test_what_no_rulebook_answers(self, index: Index) -> None:
        """Of such questions at most one in thirty gets an entry in full."""
        with open(HERE / "unanswerable.csv", encoding="utf-8", newline="") as file:
            questions = [row["query"] for row in csv.DictReader(file)]
        answered = [question for question in questions if full(answer_query(index, question))]
        assert len(questions) > 90 and len(answered) <= 3, answered

    def test_what_the_rulebooks_are_asked(self, index: Index) -> None:
        """Each question of an entry leads to it, mostly in full, and hardly ever to another in full.

        One in forty is asked, and where there is time one in twenty.
        """
        questions = [
            (id_, question)
            for (game, id_), asks in asked().items()
            for several in asks.values()
            for question in several
            if game == "dominion"
        ][:: 20 if MORE > 1 else 40]
        found = [(id_, full(answer_query(index, question))) for id_, question in questions]
        assert sum(id_ in ids for id_, ids in found) >= 0.7 * len(found)
        assert sum(bool(ids) and id_ not in ids for id_, ids in found) <= 0.03 * len(found)

    @pytest.mark.parametrize("game", ["arkham", "pergamemnon", None])
    def test_what_comes_near_is_of_the_book_and_named_once(self, index: Index, game: str | None) -> None:
        """Also where another book, or two, have just that."""
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

    def test_a_guess_says_so_in_the_readers_language(self) -> None:
        assert "推測: トラベラー" in run("rules", "travelelr", "--lang", "ja").stderr
        assert "ペルガメムノンから" in run("rules", "えじぷと", "--lang", "ja").stderr
        assert "a guess: Travellers" in run("rules", "travelelr", "--lang", "en").stderr
        assert "。 " not in run("rules", "investigtr", "--lang", "ja").stderr

    def test_where_nothing_answers(self) -> None:
        nothing = run("rules", "how do planets move around distant stars", "--lang", "en")
        assert nothing.exit_code == 1 or "no entry answers just that" in nothing.stderr

    @pytest.mark.parametrize(
        ("question", "words"),
        [
            ("how do I win at poker", "'poker'"),
            ("what does a Moat do in Monopoly and Scrabble", "'Monopoly', 'Scrabble'"),
            ("麻雀でリーチした後の手替わり", "'麻雀'"),
            ("ポケカのサポートは1ターンに何枚", "'ポケカ', 'サポート'"),
        ],
    )
    def test_words_that_no_book_knows(self, index: Index, question: str, words: str) -> None:
        assert f"no rulebook knows {words}." in list(map(str, answer_query(index, question).notes))

    @pytest.mark.parametrize(
        "question",
        ["can somebody else see my cards", "who would have been the one to go", "どうしたらいいですか"],
    )
    def test_ordinary_words_are_known(self, index: Index, question: str) -> None:
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
    def test_the_game_that_is_meant(self, index: Index, question: str, game: str, id_: str) -> None:
        """It may be named, or nothing but another game's book may answer; then this is said."""
        answer = answer_query(index, question)
        first = next(entry for each in answer.lists for entry in each.entries)
        assert (first.game, first.id) == (game, id_)
        named = index.lexicon.extract_game(question)[0]
        assert any("nothing in Dominion" in str(aside) for aside in answer.notes) == (named != game)

    def test_a_name_of_a_game_within_a_word_is_none(self, index: Index) -> None:
        assert index.lexicon.extract_game("dominions of old") == ("", "dominions of old")
        assert index.lexicon.extract_game("Dominion") == ("dominion", "")

    def test_cards_that_meet_are_asked_about_by_the_one_that_meets_the_others(self, index: Index) -> None:
        assert first(index, "does Moat stop Witch") in ("moat", "witch")
        assert first(index, "Secret Chamber and Witch") == "secret-chamber-attacks"

    def test_a_card_without_a_word_on_it(self) -> None:
        books = Rulebooks({"dominion": {ENGLISH: "Dominion"}}, [], [])
        alone = Index(BytesIO(build_index(books, [games.load()], [])))
        answer = answer_query(alone, "Moat")
        assert (answer.card, answer.facts["sure"], full(answer)) == ("Moat", False, [])
        assert "Moat" in str(answer.notes[0])

    def test_the_rule_behind_a_question_that_names_a_card(self, index: Index) -> None:
        """The card's page is shown, with the rules that answer nearly as well, also those on no card."""
        answer = answer_query(index, "I play Bard when the Boons deck is used up, what now")
        shown = [[entry.id for entry in each.entries] for each in answer.lists]
        own, near, *_ = shown
        assert answer.card == "Bard" and {"bard", "boon"} <= {*own, *near} and 1 <= len(near) <= 3
        every = [entry for each in shown for entry in each]
        assert len(every) == len(set(every))
        assert not answer_query(index, "Bard").lists[1].entries

    @pytest.mark.parametrize("word", ["dominion", "yours", "belongs"])
    def test_a_single_word_is_no_wording(self, index: Index, word: str) -> None:
        assert not answer_query(index, word).facts["sure"]

    def test_json(self) -> None:
        sure = json.loads(run("rules", "how does Moat work", "--json").stdout)
        assert sure["sure"] is True and sure["card"] == "Moat" and sure["results"][0]["cards"] == ["Moat"]
        unsure = json.loads(run("rules", "travell", "--json").stdout)
        assert unsure["sure"] is False and "card" not in unsure


class TestWhatIsNotClaimed:
    @pytest.mark.parametrize(
        "query",
        [
            "my draw pile runs out in the middle of drawing",
            "can I keep cards for the next turn",
            "can I replace my opening hand",
        ],
    )
    def test_another_game_does_not_answer_what_the_own_book_does(self, index: Index, query: str) -> None:
        answer = answer_query(index, query)
        assert {entry.game for each in answer.lists for entry in each.entries} == {"dominion"}
        assert not any("nothing in" in str(aside) for aside in answer.notes)

    @pytest.mark.parametrize("query", ["Bazaar with Throne Room", "銅細工師と玉座の間"])
    def test_an_entry_that_lacks_one_of_two_things_is_not_told_in_full(
        self, index: Index, query: str
    ) -> None:
        assert not look_up(index, query).sure

    @pytest.mark.parametrize(
        "query", ["do I discard old milk after the date", "カタンの盗賊動かしたあと誰から奪うべき"]
    )
    def test_what_says_little_of_the_question_is_a_guess(self, index: Index, query: str) -> None:
        assert look_up(index, query).match == "fuzzy"


class TestWords:
    @pytest.mark.parametrize(
        ("query", "entry"),
        [
            ("かくとくしたカードはどこに置く", "gain"),
            ("yamafuda", "deck-and-hand"),
            ("家宝カード", "heirloom"),
        ],
    )
    def test_said_otherwise(self, index: Index, query: str, entry: str) -> None:
        assert first(index, query) == entry

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
    def test_japanese_in_latin_letters(self, romaji: str, kana: str) -> None:
        assert romaji_to_hiragana(romaji) == kana

    def test_where_words_begin_and_end(self) -> None:
        assert find_word_edges("モンキーで2枚") == ("もんきーで2枚", {0, 4, 7})
        assert fold("Throne Rooms と 堀") == "throne roomと堀"
