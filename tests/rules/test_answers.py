"""Answers as they are printed: lists, card pages, direct answers, their certainty, and their language."""

import json
import re

import pytest

from randomizer.browse.catalogue import select_cards
from randomizer.load import games, languages
from randomizer.rules.entry import SUBJECT_NUMBER, DirectAnswer
from randomizer.rules.index import Index
from randomizer.rules.lookup import answer_query, open_index
from randomizer.rules.question import Question, SpellingCorrector
from randomizer.rules.scoring import Scores
from randomizer.rules.sentences import extract_passage, extract_passages
from randomizer.rules.show import render_json, render_text
from randomizer.text.folding import fold
from randomizer.text.screen import Style
from randomizer.text.width import width
from tests.rules.test_search import make_entry, make_test_index
from tests.support import run

ROWS = 24
QUESTIONS = [
    "Duration for a way, does it stay out",
    "throne room on a merchant",
    "can I look at cards before I discard",
    "do I get my token back when the pile is empty",
    "持続カードを捨て札にするのはいつ",
    "デッキの順番を変えてもいい",
]
CARD_QUESTIONS = [
    "what tokens can the teacher put out and when",
    "foot pad attack",
    "watch tower or curse first",
    "bard when the boons deck is used up",
    "農民は何に成長しますか",
    "泥棒で廃棄した財宝は誰がもらえるか",
]


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index()


def render(
    index: Index, query: str, *, rows: int | None = ROWS, columns: int = 80, color: bool = False
) -> str:
    """Render the answer to a query in its own language."""
    answer = answer_query(index, query)
    language = languages.load(answer.language or "en", games.load())
    return render_text(answer, index, language, Style(columns, color), rows=rows)


class TestLists:
    @pytest.mark.parametrize("query", QUESTIONS)
    def test_list_says_that_it_is_one_and_how_to_open_an_entry(self, index: Index, query: str) -> None:
        lines = render(index, query).splitlines()
        english = answer_query(index, query).language == "en"
        intros = ("Not sure", "No rule is certain") if english else ("どのルールのことか", "確かに答える")
        assert lines[0].startswith(intros)
        assert ("Perhaps also:" if english else "ほかに考えられるもの：") in lines
        first = answer_query(index, query).first_entry
        assert first and lines[-1].endswith(f"dominion-setup rules {first.id}")

    @pytest.mark.parametrize("query", [*QUESTIONS, *CARD_QUESTIONS])
    def test_every_sentence_of_a_list_is_complete(self, index: Index, query: str) -> None:
        """Nothing is cut, so that each text between a title and the next one is a passage of its entry."""
        answer, language = answer_query(index, query), answer_query(index, query).language or "en"
        text = render(index, query, columns=10_000)
        for entry in (entry for each in answer.lists for entry in each.entries if each.layout == "line"):
            title = f"{entry.title[language]} [{entry.id}]"
            lines = [line.strip() for line in text.splitlines() if line.strip().startswith(title)]
            passages = [extract_passage(entry.text[language], 0)]
            passages += [
                each.passages[entry.id][language] for each in answer.lists if entry.id in each.passages
            ]
            possible = [title, *(f"{title}: {passage.text}" for passage in passages)]
            assert all(line in possible for line in lines)
        assert all(
            "…" not in line for line in text.splitlines() if "See also" not in line and "[" not in line
        )

    @pytest.mark.parametrize("columns", [40, 80])
    @pytest.mark.parametrize("query", [*QUESTIONS, *CARD_QUESTIONS])
    def test_answer_fits_the_width(self, index: Index, query: str, columns: int) -> None:
        assert all(width(line) <= columns for line in render(index, query, columns=columns).splitlines())

    @pytest.mark.parametrize("query", QUESTIONS)
    def test_list_fits_the_screen(self, index: Index, query: str) -> None:
        assert len(render(index, query).splitlines()) < ROWS

    def test_short_entry_is_shown_completely(self) -> None:
        text = "A heading of its own has five words.\n\n- It is here.\n- They promote {} with the rook."
        five = make_test_index(*(make_entry(name, text=text.format(name)) for name in ("la", "lb", "lc")))
        lines = render(five, "when could they promote with the rook").splitlines()
        assert lines[2:7] == [
            "Headingla [la]",
            "  A heading of its own has five words.",
            "",
            "  - It is here.",
            "  - They promote la with the rook.",
        ]
        assert lines[9:11] == [
            "  Headinglb [lb]: A heading of its own has five words. They promote lb with",
            "    the rook.",
        ]

    def test_extract_of_a_long_entry_has_the_best_sentence(self) -> None:
        items = "\n".join(f"- The item of number {number} says nothing at all." for number in range(12))
        text = f"A heading of its own has five words.\n\n{items}\n- They promote {{}} with the rook."
        five = make_test_index(*(make_entry(name, text=text.format(name)) for name in ("la", "lb", "lc")))
        lines = render(five, "when could they promote with the rook").splitlines()
        extract = lines[3 : lines.index("", 3)]
        assert extract[0] == "  A heading of its own has five words."
        assert extract[-1] == "  They promote la with the rook."
        assert 4 < len(extract) <= 8

    def test_match_by_name_has_no_passages(self, index: Index) -> None:
        assert not any(entry_list.passages for entry_list in answer_query(index, "Favors").lists)

    def test_index_numbers_sentences_like_passages(self, index: Index) -> None:
        for doc_id in range(index.entry_count):
            numbers = [number for number, _ in index.sentences(doc_id, range(1 << 16))]
            assert numbers[0] == SUBJECT_NUMBER and len(set(numbers)) == len(numbers)
            assert extract_passages(index.entry(doc_id).text, max(numbers))

    def test_best_sentence_answers_the_question(self, index: Index) -> None:
        question = "Do unspent Favors carry over to my next turn or are they lost?"
        doc_id = next(id_ for id_ in index.doc_id_ranges["dominion"] if index.entry(id_).id == "favors")
        coverage, number = Scores(index, Question(index, question), "dominion").find_best_sentence(doc_id)
        assert 0.2 < coverage <= 1
        assert "stay from turn to turn" in extract_passages(index.entry(doc_id).text, number)["en"].text


class TestCardPages:
    @pytest.mark.parametrize("query", CARD_QUESTIONS)
    def test_page_has_the_rulings_before_the_facts(self, index: Index, query: str) -> None:
        answer = answer_query(index, query)
        assert answer.card
        language = answer.language or "en"
        own = next(e for each in answer.lists for e in each.entries if e.title["en"] == answer.card)
        text = "".join(render(index, query, rows=None).replace("\n", "").split())
        ruling = "".join(own.text[language].split("\n")[-1].removeprefix("- ").split())
        facts = {"en": "pile:", "ja": "山の枚数："}[language]
        assert 0 <= text.find(ruling) < text.find(facts)

    @pytest.mark.parametrize("query", CARD_QUESTIONS)
    def test_rulings_are_complete_on_a_small_screen(self, index: Index, query: str) -> None:
        answer = answer_query(index, query)
        own = next(e for each in answer.lists for e in each.entries if e.title["en"] == answer.card)
        small = "".join(render(index, query, rows=10).split())
        for line in own.text[answer.language or "en"].split("\n"):
            assert "".join(line.split()) in small
        assert "--all" in small

    def test_facts_come_first_on_the_page_of_a_name(self, index: Index) -> None:
        text = render(index, "Moat")
        assert text.find("$2, Action–Reaction") < text.find("Draws two cards")


class TestHighlighting:
    def test_sentence_that_answers_is_bold(self, index: Index) -> None:
        text = render(index, "can I count the cards in my discard pile", color=True)
        assert "\x1b[1mOf a discard pile, your own too" in text

    @pytest.mark.parametrize("columns", [20, 33, 80])
    @pytest.mark.parametrize("query", ["can I look through the discard pile", "捨て札の枚数を数えていい"])
    def test_highlighting_changes_no_text(self, index: Index, query: str, columns: int) -> None:
        colored = render(index, query, columns=columns, color=True)
        for code in ("\x1b[0m", "\x1b[1m", "\x1b[2m"):
            colored = colored.replace(code, "")
        assert colored == render(index, query, columns=columns)


class TestDirectAnswers:
    @pytest.mark.parametrize(
        ("query", "start"),
        [
            ("can I look through the discard pile", "No. Only the top card"),
            ("may I count my draw pile?", "Yes. You may count"),
            ("How many Curses with three players?", "20. The Curse pile"),
            ("starting deck contents", "Seven Coppers and three Estates. Every player"),
            ("what are Platinum and Colony worth", "$5 and 10 VP. Platinum is"),
            ("how many Loot cards", "30. The Loot pile"),
            ("捨て札の枚数を数えていい？", "いいえ。捨て札は"),
            ("so is Masquerade an Attack?", "No. Masquerade is just an Action"),
            ("does Bandit really trash my Coppers", "No. Bandit trashes a Treasure"),
            ("仮面舞踏会はアタックですか？", "いいえ。仮面舞踏会の種類は"),
            ("3人のとき呪いは何枚", "20。呪いの山は"),
            ("can I play Treasures before buying", "Yes, before the first purchase. In the Buy phase"),
            ("can I play Treasures after buying a card", "No. Once you have bought"),
            ("is buying a card gaining it", "Yes. Buying is"),
            ("is gaining a card buying it", "No. What an effect"),
            ("does buying an Event use a Buy", "Yes. Buying an Event"),
            ("does buying an Event use an Action", "No. Buying an Event"),
            ("庭園は自身も枚数に数える", "はい。庭園は"),
            ("Does Moat stop Militia?", "Yes. A player who shows Moat"),
            ("堀で魔女を防げる", "はい。アタックカードが使用されたときに堀を公開した"),
            ("can I exchange Treasure Hunter at any time", "When you discard it from play. A Traveller"),
            ("does Highway make Alms cheaper", "No. Cost reductions work on cards only"),
            ("カエルの習性はいつ使える", "アクションを使用するたび。どのプレイヤーも"),
        ],
    )
    def test_question_is_answered_first(self, index: Index, query: str, start: str) -> None:
        assert render(index, query).startswith(start)
        assert answer_query(index, query).certainty == "sure"

    @pytest.mark.parametrize(
        "query",
        [
            "can't I look through the discard pile",
            "how many Curses with seven players",
            "how many Curses",
            "curse pile",
            "呪いは何枚",
            "can I look at the top card of my deck",
            "does Throne Room use an Action",
            "does a Reaction use a Buy",
            "can I exchange a Traveller that I discard from play",
            "do cards on the Tavern mat count before the end",
            "can I show Moat after the Attack",
            "can I buy cards without debt",
            "does an empty Gold pile end the game",
            "are set-aside cards face down",
            "is exiling a card gaining it",
            "場から捨てたトラベラーを交換できる",
            "金貨の山が空になったら終わる",
            "夜行カードは購入権を使う",
            "他のプレイヤーの山札の枚数を数えていい",
            "does Gardens trash itself",
            "does Bandit trash Silver",
            "is Militia an Attack",
            "can I Remodel Silver into Province",
        ],
    )
    def test_other_questions_are_not_answered_directly(self, index: Index, query: str) -> None:
        assert answer_query(index, query).direct_answer is None

    def test_every_direct_answer_is_found_by_its_questions(self, index: Index) -> None:
        missed = [
            question
            for game in index.titles
            for entry in index.entries(game)
            for direct in entry.answers
            for questions in direct.asks.values()
            for question in questions
            if answer_query(index, question, game).direct_answer != direct
        ]
        assert missed == []

    def test_every_direct_answer_is_in_both_languages_with_a_source(self, index: Index) -> None:
        for game in index.titles:
            for answer in (answer for entry in index.entries(game) for answer in entry.answers):
                assert set(answer.asks) == set(answer.text) == {"en", "ja"}, answer
                assert not answer.short or set(answer.short) == {"en", "ja"}, answer
                assert "unconfirmed" not in answer.source["en"], answer

    def test_direct_answer_moves_its_entry_to_the_front(self) -> None:
        direct = DirectAnswer(
            {"en": ["may a rook jump"]}, "no", {}, {"en": "Rooks never jump over a man."}, {}
        )
        other = make_entry("a", text="May a rook jump? May a rook jump? It may.")
        index = make_test_index(other, make_entry("b")._replace(answers=[direct]))
        answer = answer_query(index, "may a rook jump?")
        assert answer.first_entry and (answer.first_entry.id, answer.direct_answer) == ("b", direct)


class TestSimilarQuestions:
    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("may I count how many cards I have got in my deck", "You may count your own deck"),
            ("is there some limit to my Actions", "no rule limits how many +Actions you get"),
        ],
    )
    def test_sentence_without_verdict_is_shown(self, index: Index, query: str, sentence: str) -> None:
        assert answer_query(index, query).direct_answer is None
        text = " ".join(render(index, query).split())
        assert sentence in text and "Yes. You" not in text and "No. " not in text

    def test_answer_to_another_kind_of_question_is_not_used(self) -> None:
        rook = make_entry("rook", text="The rook moves far.")
        answers = [
            DirectAnswer({"en": ["who may move a rook"]}, "", {"en": "White"}, {"en": "White moves it."}, {}),
            DirectAnswer({"en": ["when may I move a rook"]}, "", {"en": "Now"}, {"en": "Move it now."}, {}),
        ]
        index = make_test_index(rook._replace(answers=answers))
        assert answer_query(index, "when may I move a rook").direct_answer == answers[1]
        assert answer_query(index, "where may I move a rook").direct_answer is None

    @pytest.mark.parametrize("query", ["how do I win at poker", "how many Curses with three queens"])
    def test_question_with_unknown_word_has_no_direct_answer(self, index: Index, query: str) -> None:
        answer = answer_query(index, query)
        assert answer.direct_answer is None and answer.certainty != "sure"

    def test_named_game_is_not_answered_from_another_game(self, index: Index) -> None:
        assert answer_query(index, "山札がなくなったら").direct_answer
        answer = answer_query(index, "ペルガメムノンで山札がなくなったら")
        assert answer.direct_answer is None
        assert answer.first_entry and answer.first_entry.game == "pergamemnon"

    def test_decisive_sentence_comes_before_a_long_entry(self, index: Index) -> None:
        query = "can teacher put a second token on a pile that has one"
        assert render(index, query).startswith("One token for each call")


class TestScreens:
    """What fits on a screen of 80 columns and 24 rows, apart from the typed command."""

    @pytest.mark.parametrize(
        ("query", "fragment"),
        [
            ("can I use a card in the turn in which I buy it", "you play it once you have drawn it"),
            ("do attacks get through a shield if they hit someone to my left first", "from the left of"),
            ("may a trait lie on any pile", "never under basic cards"),
            ("who turns up the Hexes", "turns over the top one"),
            ("what may the Mountain Pass bid go up to", "from 1D to 40D"),
            ("may I buy an Event more than once", "An Event may be bought again"),
            ("does Alchemist go back without a Potion", "if you have a Potion in play"),
            ("is Ghost Ship an Attack", "Action–Attack"),
            ("夜行カードにアクション権はいる", "アクション権なしで"),
            ("第二版のカードと初版のカードを一緒に使える", "混ぜて使ってもよい"),
            ("猿の習性の効果は何", "サルの習性"),
            ("手がかりはどうすれば得られる", "手がかり"),
        ],
    )
    def test_answer_is_on_the_screen(self, index: Index, query: str, fragment: str) -> None:
        lines = render(index, query).splitlines()[: ROWS - 1]
        assert "".join(fragment.split()) in "".join("".join(lines).split())

    def test_name_within_an_unknown_word_is_not_a_card(self, index: Index) -> None:
        assert answer_query(index, "職人で獲得するのはいつ").card == "Artisan"
        assert answer_query(index, "錠職人で獲得するのはいつ").card == ""


class TestCertainty:
    @pytest.mark.parametrize(
        ("query", "certainty"),
        [
            ("how does Moat work", "sure"),
            ("burocrat", "likely"),
            ("theif and moat", "guess"),
            ("throne room on a merchant", "likely"),
            ("カタンの盗賊動かしたあと誰から奪うべき", "guess"),
            ("hello", "none"),
        ],
    )
    def test_certainty(self, index: Index, query: str, certainty: str) -> None:
        answer = answer_query(index, query)
        assert answer.certainty == certainty

    @pytest.mark.parametrize("query", ["theif and moat", "possesion", "burocrat when empty hand", "foot pad"])
    def test_corrected_query_is_never_sure(self, index: Index, query: str) -> None:
        answer = answer_query(index, query)
        assert answer.certainty in ("likely", "guess")
        assert answer.unknown_words == []
        assert "hex" not in [entry.id for each in answer.lists for entry in each.entries][:1]

    def test_json_has_the_answer(self, index: Index) -> None:
        answer = json.loads(render_json(answer_query(index, "how many Loot cards")))["answer"]
        assert (answer["entry"], answer["verdict"], answer["number"]) == ("loot", None, 30)
        assert answer["text"]["ja"].startswith("戦利品の山には")
        document = json.loads(render_json(answer_query(index, "throne room on a xyzzyqq merchant")))
        assert document["unknown_words"] == ["xyzzyqq"]
        assert "short" not in document["answer"] and document["answer"]["text"]["en"].endswith(".")


class TestNames:
    @pytest.mark.parametrize(
        ("query", "corrections"),
        [
            ("foot pad attack", {"foot pad": "footpad"}),
            ("watch tower and curse", {"watch tower": "watchtower"}),
            ("black smith or court yard", {"black smith": "blacksmith", "court yard": "courtyard"}),
            ("throneroom twice", {"throneroom": "throne room"}),
            ("burocrat with nothing", {"burocrat": "bureaucrat"}),
            ("which cards go on top", {}),
            ("trade route and throne room", {}),
            ("can reihaidou trash nothing", {"reihaidou": "chapel"}),
            ("zaigen when in the turn", {"zaigen": "coffer"}),
            ("ゴレムで引けないとき", {"ゴレム": "ゴーレム"}),
            ("ゴーレムで引けないとき", {}),
        ],
    )
    def test_names_in_sentences_are_recognized(
        self, index: Index, query: str, corrections: dict[str, str]
    ) -> None:
        assert SpellingCorrector(index, query).find_corrections(0.25) == corrections

    @pytest.mark.parametrize(
        ("query", "card"),
        [
            ("繁栄の借金", "Loan"),
            ("移動動物園の馬", "Horse"),
            ("錬金術の使い魔", "Familiar"),
            ("Prosperity Loan", "Loan"),
        ],
    )
    def test_set_before_a_card_belongs_to_its_name(self, index: Index, query: str, card: str) -> None:
        assert answer_query(index, query).card == card

    @pytest.mark.parametrize(
        ("query", "cards"),
        [
            ("移動動物園の馬は何枚引ける", ["Horse"]),
            ("when is Alchemy Familiar discarded", ["Familiar"]),
            ("移動動物園と馬", ["Menagerie", "Horse"]),
        ],
    )
    def test_set_before_a_card_in_a_question_is_not_a_card(
        self, index: Index, query: str, cards: list[str]
    ) -> None:
        assert [name.card for name in Question(index, query).cards] == cards

    def test_aliases_of_a_card_contain_its_name(self, index: Index) -> None:
        """An alias such as "discard pile" would make the card the certain answer to a general question.

        A part of the name, its transliteration in katakana, and its initials are allowed.
        """
        game = games.load()
        names = languages.load_card_names("ja", game)
        wrong = []
        for entry in map(index.entry, sorted(index.own_entry_doc_ids)):
            card = entry.title["en"]
            if entry.game != game.name:
                continue
            named = [card, *game.cards[card].also, *names[card].also, *entry.title.values(), entry.reading]
            named += [names[card].name, names[card].reading]
            joined = [fold(name).replace(" ", "") for name in named if name]
            words = {word for word in fold(card).split() if len(word) > 2} - {"the", "way", "card"}
            wrong += [
                (entry.id, alias)
                for alias in entry.aliases
                if not any(name in (own := fold(alias).replace(" ", "")) or own in name for name in joined)
                and words.isdisjoint(fold(alias).split())
                and not re.fullmatch("[ァ-ヺー]+|[A-Z]+", alias)
            ]
        assert wrong == []


class TestOtherQueries:
    @pytest.mark.parametrize(("romaji", "name"), [("hori", "Moat"), ("chikachozouko", "Cellar")])
    def test_cards_command_takes_romanized_names(self, romaji: str, name: str) -> None:
        assert run("cards", romaji, "--lang", "en").stdout.startswith(name)

    @pytest.mark.parametrize("query", ["hello", "help", "2", "こんにちは", "ルール"])
    def test_chatter_gets_a_hint(self, query: str) -> None:
        result = run("rules", query, "--lang", "en")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "type a rule, a card or a question, as in" in result.stderr

    @pytest.mark.parametrize(
        ("query", "selector"),
        [
            ("what cards have +2 actions", "village"),
            ("which cards give +1 buy", "buy"),
            ("which cards are attacks and trash", "trashing and attack"),
            ("どのカードでアタックを防げる", "defence"),
            ("does Moat trash cards", ""),
        ],
    )
    def test_question_for_cards_points_to_the_list(self, index: Index, query: str, selector: str) -> None:
        answer = answer_query(index, query)
        assert answer.selector == selector
        assert not selector or (
            f'dominion-setup cards "{selector}"' in render(index, query) and not answer.is_in_full
        )

    def test_every_selector_matches_cards(self, index: Index) -> None:
        game = games.load()
        for selector, _ in index.lexicon.selectors:
            cards = list(game.cards.values())
            names = languages.load_all_card_names(game).values()
            assert select_cards(selector, cards, game, languages.load_all(game), names)

    @pytest.mark.parametrize("locale", ["en_US.UTF-8", "ja_JP.UTF-8"])
    @pytest.mark.parametrize(
        ("query", "start"),
        [
            ("銅貨は何枚", "銅貨の枚数"),
            ("can I play two actions", "Action phase"),
        ],
    )
    def test_question_is_answered_in_its_own_language(
        self, monkeypatch: pytest.MonkeyPatch, locale: str, query: str, start: str
    ) -> None:
        monkeypatch.setenv("LC_ALL", locale)
        assert run("rules", query).stdout.startswith(start)

    def test_name_is_shown_in_the_language_of_the_locale(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
        assert run("rules", "way of the ox").stdout.startswith("雄牛の習性")
        assert run("rules", "銅貨は何枚", "--lang", "en").stdout.startswith("How many Coppers")
