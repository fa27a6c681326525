"""Rules, cards, suggested kingdoms and names, each at an address of its own."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from randomizer.cards.game import Game
from randomizer.load.kingdoms import load_kingdoms
from randomizer.rules.lookup import answer_about_table, answer_query, open_index
from tests.web.test_tables import laid

TABLE = "sets=base&players=2&with=throne-room&seed=1"


def titles(page: str) -> list[str]:
    return [unescape(title) for title in re.findall(r'<summary><h. class="rule">(.*?)</h.>', page)]


class TestRules:
    @pytest.mark.parametrize("query", ["curse", "呪い", "duration in play", "リザーブ", "reserv"])
    def test_page_has_the_same_rules_as_the_command_line(self, client: TestClient, query: str) -> None:
        page = client.get(f"/rules?q={quote(query)}").text
        answer = answer_query(open_index(), query)
        language = answer.language or "en"
        assert titles(page) == [entry.title[language] for each in answer.lists for entry in each.entries]
        assert f'<html lang="{language}"' in page

    def test_page_highlights_the_sentence_that_answers(self, client: TestClient) -> None:
        page = client.get("/rules?q=can I look through the discard pile").text
        assert "<strong>No. Only the top card" in page
        assert "<li><mark>Of a discard pile, your own too," in page
        assert "<mark>" not in client.get("/rules/dominion/hidden-information").text

    def test_list_says_that_it_is_one_and_has_complete_sentences(self, client: TestClient) -> None:
        page = unescape(client.get("/rules?q=throne room on a merchant").text)
        assert "Not sure which rule you mean." in page
        assert '<span class="short">Throne Room on Merchant counts as two.</span>' in page

    def test_facts_about_the_card_of_a_question_come_last(self, client: TestClient) -> None:
        page = unescape(client.get("/rules?q=what tokens can the teacher put out and when").text)
        assert 0 < page.find("One token for each call") < page.find("pile: 5")

    def test_language_of_the_page_is_kept_if_the_address_has_one(self, client: TestClient) -> None:
        page = client.get(f"/rules?q={quote('銅貨は何枚')}&lang=en").text
        assert titles(page)[:1] == ["How many Coppers"]

    def test_part_parameter_returns_only_the_results(self, client: TestClient) -> None:
        piece = client.get("/rules?q=curse&part=1").text
        whole = client.get("/rules?q=curse").text
        assert "<html" not in piece and piece.strip() in whole

    def test_rules_of_the_table_come_first(self, client: TestClient) -> None:
        setup = client.get(f"/table.json?{TABLE}").json()
        there = {
            entry.title["en"]
            for each in answer_about_table(open_index(), setup).lists
            for entry in each.entries
        }
        page = client.get(f"/rules?q=throne%20room&table={quote(TABLE)}").text
        found = titles(page)
        mine = [title in there for title in found]
        assert any(mine) and not all(mine)
        assert mine == sorted(mine, reverse=True)
        assert sorted(found) == sorted(titles(client.get("/rules?q=throne%20room").text))

    def test_empty_query_lists_the_rules_of_the_table_or_book(self, client: TestClient) -> None:
        setup = client.get(f"/table.json?{TABLE}").json()
        entries = [entry for each in answer_about_table(open_index(), setup).lists for entry in each.entries]
        assert titles(client.get(f"/rules?table={quote(TABLE)}").text) == [
            entry.title["en"] for entry in entries
        ]
        assert titles(client.get("/rules").text) == []

    @pytest.mark.parametrize("table", ["", "sets=nothing", "cards=/etc/passwd", "%ff", "a=b" * 100])
    def test_invalid_table_is_ignored(self, client: TestClient, table: str) -> None:
        assert titles(client.get(f"/rules?q=reserve&table={quote(table)}").text) == titles(
            client.get("/rules?q=reserve").text
        )

    def test_every_entry_has_a_page_with_links(self, client: TestClient) -> None:
        index = open_index()
        for book in index.titles:
            for entry in list(index.entries(book))[::40]:
                page = client.get(f"/rules/{book}/{entry.id}")
                assert page.status_code == 200
                assert unescape(page.text).count(f"/rules/{book}/") >= len(entry.see)
                for id_ in entry.see:
                    assert client.get(f"/rules/{book}/{id_}").status_code == 200

    def test_every_book_is_listed(self, client: TestClient) -> None:
        for book in open_index().titles:
            page = client.get(f"/rules?book={book}").text
            assert len(titles(page)) == len(open_index().doc_id_ranges[book])

    def test_book_is_chosen_by_any_name_of_its_game(self, client: TestClient) -> None:
        for name in ("Arkham Horror", "アーカムホラー"):
            page = client.get(f"/rules?q=setup&book={quote(name)}").text
            assert titles(page) == titles(client.get("/rules?q=setup&book=arkham").text)

    def test_japanese_query_has_japanese_results(self, client: TestClient) -> None:
        page = client.get("/rules/dominion/call?lang=ja").text
        assert "呼び出し" in page and 'lang="ja"' in page
        for address in re.findall(r'href="(/rules/[^"]+)"', page):
            assert "lang=" in address

    @pytest.mark.parametrize("query", ["<script>alert(1)</script>", "\x1b[31m", "‮", "a" * 5000, "%"])
    def test_hostile_query_is_escaped(self, client: TestClient, query: str) -> None:
        page = client.get(f"/rules?q={quote(query)}")
        assert page.status_code == 200
        assert "<script>a" not in page.text and "\x1b" not in page.text and "‮" not in page.text


class TestCards:
    def test_card_page_has_setup_and_rules(self, client: TestClient) -> None:
        page = client.get("/cards/young-witch").text
        assert "Young Witch" in page and "魔女娘" in page and "Bane" in page
        assert titles(page)

    def test_card_is_found_in_every_game_and_language(self, client: TestClient) -> None:
        assert "魔女" in client.get("/cards/witch?lang=ja").text

    def test_other_names_redirect_to_the_card(self, client: TestClient) -> None:
        for name in ("魔女", "Witch", "WITCH "):
            answer = client.get(f"/cards/{quote(name)}?lang=ja")
            assert (answer.status_code, answer.headers["location"]) == (303, "/cards/witch?lang=ja")
        assert client.get("/cards/Witch").headers["location"] == "/cards/witch"


class TestKingdoms:
    def test_each_kingdom_links_to_its_form(self, client: TestClient, game: Game) -> None:
        page = client.get("/kingdoms").text
        addresses = re.findall(r'<li><a href="([^"]+)"', page)
        assert len(addresses) == len(load_kingdoms(game))
        filled = client.get(unescape(addresses[0])).text
        assert "kingdom:" in filled
        assert laid(client, unescape(addresses[0]).partition("?")[2] + "&players=2")

    def test_kingdoms_are_found_by_word(self, client: TestClient) -> None:
        assert len(re.findall("<li>", client.get("/kingdoms?q=witch").text)) > 3
        assert client.get("/kingdoms?q=xyzzy").status_code == 200


@pytest.mark.parametrize(
    ("of", "begun", "found"),
    [
        ("cards", "young", "young-witch"),
        ("cards", "witch,mo", "witch,moat"),
        ("cards", "魔女", "魔女"),
        ("selectors", "att", "attack"),
        ("wishes", "treasure,vil", "treasure,village"),
    ],
)
def test_names_are_completed(client: TestClient, of: str, begun: str, found: str) -> None:
    names = client.get(f"/names?of={of}&begun={quote(begun)}").json()
    assert found in names and len(names) <= 40


def test_any_text_can_be_completed(client: TestClient) -> None:
    for query in ("", "?of=x", "?of=cards&begun=%1b", "?begun=" + "a" * 3000):
        assert client.get(f"/names{query}").status_code == 200
