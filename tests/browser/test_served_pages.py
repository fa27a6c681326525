"""The served pages, as people around a table have them: on several phones, offline, without script."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import pytest

from randomizer.load.languages import list_codes
from randomizer.web.address import encode_query
from tests.browser.conftest import until
from tests.browser.test_table_page import (
    ORDINARY,
    PHONE,
    RULE,
    UNFOLD,
    WIDTHS,
    assert_accessible,
    in_both_languages,
    sheets,
    too_wide,
)
from tests.support import run
from tests.support.serving import run_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

pytest.importorskip("uvicorn")
TABLE = "table?sets=base,adventures&players=3&seed=k7f3"
VOTE = TABLE.replace("&seed", "&veto=3&seed")
PAGES = (
    "",
    TABLE,
    "rules?q=throne%20room",
    "rules/dominion/call",
    "cards/young-witch",
    "kingdoms?q=first",
    "none",
    "history",
    "statistics",
    "newest",
    TABLE.replace("&seed", "&swap=cellar&seed"),
    "tables?sets=base,adventures&players=3&count=3&apart=yes&seed=k7f3",
    VOTE,
    VOTE.replace("&seed", "&vetoed=nothing&seed"),
)
Opens = Callable[..., "Page"]


@pytest.fixture(scope="module")
def address(browser: "Browser") -> Iterator[str]:
    """Where a server is, for as long as the tests of this room run. A game has been recorded."""
    assert run("--sets", "base,adventures", "--seed", "recorded", "--format", "line").exit_code == 0
    assert run("played", "--players", "Ann 42, 花子 31", "--rating", "4").exit_code == 0
    with run_server() as (_, port, _):
        yield f"http://localhost:{port}/"


@pytest.fixture
def phone(browser: "Browser", address: str) -> Iterator[Opens]:
    """Opens a page on a phone of its own; none may have an error, or ask anybody else for anything."""
    heard: list[str] = []
    with ExitStack() as open_:

        def ask(request: "Request") -> None:
            if not request.url.startswith(address):
                heard.append(request.url)

        def say(message: "ConsoleMessage") -> None:
            if "Content Security" in message.text:
                heard.append(message.text)

        def opened(path: str, **how: Any) -> "Page":
            context = browser.new_context(**{"viewport": PHONE, **how})
            open_.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(15_000)  # milliseconds
            page.set_default_navigation_timeout(60_000)  # the first may wait for the server to be ready
            page.on("pageerror", lambda error: heard.append(str(error)))
            page.on("dialog", lambda dialog: heard.append(dialog.message))
            page.on("request", ask)
            page.on("console", say)
            page.goto(address + path)
            return page

        yield opened
    assert heard == []


def ticked(page: "Page", count: int) -> None:
    """Wait until so many lines are ticked."""
    from playwright.sync_api import expect

    expect(page.locator("[data-tick]:checked")).to_have_count(count, timeout=8_000)


def tick(page: "Page", number: int) -> None:
    page.locator(".lines [data-tick]").nth(number).click()


class TestTogether:
    def test_ticks_appear_on_other_phones(self, phone: Opens) -> None:
        one, other = phone(TABLE + "1"), phone(TABLE + "1", locale="ja-JP")
        tick(one, 0)
        ticked(other, 1)
        tick(other, 3)
        ticked(one, 2)
        tick(other, 0)
        ticked(one, 1)
        one.locator("[data-clear]").click()
        one.get_by_role("button", name="Cancel").click()
        ticked(one, 1)
        one.locator("[data-clear]").click()
        one.get_by_role("button", name="Yes, clear all ticks").click()
        ticked(other, 0)
        one.get_by_role("button", name="Restore the ticks").click()
        ticked(other, 1)
        other.locator("[data-clear]").click()
        other.locator("[data-clear-now]").click()
        ticked(one, 0)
        assert "0" in other.locator("[data-done]").inner_text()

    def test_offline_ticks_are_sent_later(self, phone: Opens) -> None:
        one, other = phone(TABLE + "2"), phone(TABLE + "2")
        tick(one, 0)
        ticked(other, 1)
        until(one, READY)
        one.context.set_offline(True)
        tick(one, 1)
        tick(other, 2)
        says = one.locator("[data-offline]")
        says.filter(has_text="Not connected").wait_for()
        one.set_viewport_size({"width": 320, "height": 700})
        one.evaluate("scrollTo(0, 1500)")
        box = says.bounding_box()
        assert box and 0 <= box["y"] < 200
        assert says.evaluate(IS_ON_TOP)
        one.reload()  # the page itself is kept as well
        ticked(one, 2)
        one.context.set_offline(False)
        ticked(one, 3)
        ticked(other, 3)
        says.filter(has_not_text="Not").wait_for(state="attached")

    def test_refused_ticks_show_the_reason(self, phone: Opens) -> None:
        page = phone(table(10))
        page.route("**/ticks/*", lambda route: route.fulfill(status=507, json={"error": "No room."}))
        tick(page, 0)
        page.locator("[data-offline]", has_text="The server refused the last ticks: No room.").wait_for()
        page.unroute("**/ticks/*")
        page.locator("[data-offline]", has_not_text="No room.").wait_for(state="attached")

    def test_late_visitor_sees_earlier_ticks(self, phone: Opens) -> None:
        one = phone(TABLE + "3")
        tick(one, 0)
        ticked(phone(TABLE + "3"), 1)
        one.reload()
        ticked(one, 1)

    def test_ticks_are_saved_without_script(self, phone: Opens) -> None:
        plain, other = phone(TABLE + "4", java_script_enabled=False), phone(TABLE + "4")
        tick(plain, 0)
        plain.get_by_role("button", name="Save ticks").click()
        assert plain.locator("[data-tick]:checked").count() == 1
        ticked(other, 1)
        tick(other, 1)
        other.wait_for_timeout(500)
        plain.reload()
        assert plain.locator("[data-tick]:checked").count() == 2


def table(number: int) -> str:
    """The address of the same table for every number, with ticks of its own."""
    cards = "cellar,chapel,moat,village,workshop,smithy,festival,market,mine,witch"
    return f"table?sets=base&players=2&kingdom={cards}&seed={number}"


class TestSwap:
    def test_swap_brings_the_other_phones_along(self, phone: Opens) -> None:
        one, other, japanese = phone(table(5)), phone(table(5)), phone(table(5) + "&lang=ja")
        tick(one, 3)
        ticked(japanese, 1)
        one.get_by_role("button", name="Swap Moat").click()
        for page, text in (
            (one, "was swapped for"),
            (other, "was swapped for"),
            (japanese, "入れ替えました"),
        ):
            page.get_by_text(text).first.wait_for()
            assert "&swap=moat&" in page.url
            ticked(page, 1)
            assert page.locator(".new").count() >= 1
        assert "lang=ja" in japanese.url and "lang" not in other.url
        other.get_by_role("button", name="Undo the swap").click()
        for page in (one, japanese):
            page.locator(".name", has_text=re.compile("^(Moat|堀)$")).wait_for()
            assert "swap" not in page.url
            ticked(page, 1)

    def test_replaced_table_links_to_the_newer_one(self, phone: Opens) -> None:
        one = phone(table(6))
        one.get_by_role("button", name="Swap Moat").click()
        late = phone(table(6))
        late.get_by_text("A newer table has replaced this one.").wait_for()
        late.wait_for_timeout(1500)
        assert "swap" not in late.url
        late.get_by_role("link", name="Show it").click()
        assert "&swap=moat&" in late.url

    def test_enter_key_does_not_swap(self, phone: Opens) -> None:
        page = phone(table(7))
        page.locator("[data-tick]").nth(4).focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        assert "swap" not in page.url

    def test_newest_address_follows_every_deal(self, phone: Opens) -> None:
        board, one = phone("newest"), phone("table?deal=yes&sets=base&sets=empires&seed=newest1")
        board.locator("code", has_text="--seed newest1").wait_for()
        one.goto(board.url.replace("newest", "table?deal=yes&sets=base&sets=empires&seed=newest2"))
        board.locator("code", has_text="--seed newest2").wait_for()
        one.get_by_role("button", name="Swap").first.click()
        board.get_by_text("was swapped for").first.wait_for()
        assert board.url.endswith("/newest")

    def test_newest_address_shows_the_first_table(self, browser: "Browser", tmp_path: Path) -> None:
        folders = dict.fromkeys(("XDG_STATE_HOME", "XDG_DATA_HOME"), str(tmp_path))
        with run_server(env={**os.environ, **folders}) as (_, port, _):
            board, one = browser.new_page(), browser.new_page()
            board.goto(f"http://localhost:{port}/newest")
            assert "No table has been dealt yet" in board.content()
            one.goto(f"http://localhost:{port}/table?deal=yes&sets=base&seed=first")
            board.locator("code", has_text="--seed first").wait_for()
            board.close()
            one.close()


class TestVeto:
    def test_secret_votes_lay_out_the_table_on_all_phones(self, phone: Opens) -> None:
        one, other, japanese = phone(VOTE + "1"), phone(VOTE + "1"), phone(VOTE + "1&lang=ja")
        cards = one.locator("[name=card]")
        assert cards.count() == 13
        slugs = [cards.nth(number).get_attribute("value") for number in (2, 11)]
        cards.nth(2).check()
        assert one.locator("[name=card]:disabled").count() == 12  # Each of the three players has one veto.
        one.get_by_role("button", name="Vote", exact=True).click()
        one.get_by_text("Your vote counts.").wait_for()
        other.get_by_text("1 of 3 players have voted.").wait_for()
        japanese.get_by_text("3人中1人が投票しました。").wait_for()
        assert other.locator("[name=card]:checked").count() == 0 and "Vetoed" not in other.content()
        other.locator("[name=card]").nth(11).check()
        other.get_by_role("button", name="Vote", exact=True).click()
        other.get_by_text("Your vote counts.").wait_for()
        japanese.get_by_role("button", name="投票する").click()
        for page, text in ((one, "Vetoed:"), (other, "Vetoed:"), (japanese, "拒否されたカード")):
            page.get_by_text(text).first.wait_for()
            assert f"&vetoed={slugs[0]},{slugs[1]}&" in page.url
            assert page.locator(".work").first.locator("[data-tick]").count() == 10
        assert "lang=ja" in japanese.url and "lang" not in other.url

    def test_vote_can_be_ended_early_and_followed_on_the_newest_table(self, phone: Opens) -> None:
        board, one = phone("newest"), phone("table?deal=yes&sets=base&players=4&veto=8&sets=empires&seed=v")
        board.locator("[name=card]").first.wait_for()
        for number in (0, 9):
            one.locator("[name=card]").nth(number).check()
        slugs = [one.locator("[name=card]").nth(number).get_attribute("value") for number in (0, 9)]
        one.get_by_role("button", name="Vote", exact=True).click()
        one.get_by_text("Your vote counts.").wait_for()
        board.get_by_text("End the vote", exact=True).click()
        board.get_by_role("button", name="End the vote and lay out the table").click()
        # The board stays at `/newest` if it notices the new table before its form is answered.
        for page in (board, one):
            page.locator("code", has_text=f"--vetoed {slugs[0]},{slugs[1]}").wait_for()

    def test_vote_works_without_script(self, phone: Opens) -> None:
        one, other = (phone(VOTE + "3", java_script_enabled=False) for _ in range(2))
        one.locator("[name=card]").nth(4).check()
        one.get_by_role("button", name="Vote", exact=True).click()
        assert one.get_by_text("1 of 3 players have voted.").count() == 1
        assert one.locator("[name=card]:checked").count() == 0
        other.locator("summary", has_text="End the vote").click()
        other.get_by_role("button", name="End the vote and lay out the table").click()
        assert other.get_by_text("Vetoed:").count() >= 1
        one.reload()
        one.get_by_role("link", name="Show it").click()
        assert one.url == other.url


class TestCards:
    def test_back_from_a_card_returns_to_the_same_position(self, phone: Opens) -> None:
        page = phone(table(8), viewport={"width": 390, "height": 400})
        page.locator("summary", has_text="Kingdom").first.click()
        link = page.get_by_role("link", name="Province", exact=True)
        link.scroll_into_view_if_needed()
        before = page.evaluate("scrollY")
        assert before > 100
        link.click()
        assert page.locator("h1").inner_text() == "Province"
        page.get_by_role("button", name="Back").click()
        page.locator("h1", has_text="Dominion").wait_for()
        until(page, "before => Math.abs(scrollY - before) < 5", before)
        assert not page.get_by_role("link", name="Chapel", exact=True).is_visible()
        assert page.locator("[data-tick]:checked").count() == 0

    def test_banned_cards_are_remembered_and_can_be_allowed_again(self, phone: Opens) -> None:
        page = phone("cards/witch")
        page.get_by_role("button", name="Never Witch again").click()
        assert page.get_by_role("button", name="Witch: never again on this device").is_disabled()
        page.goto(page.url.replace("cards/witch", "table?sets=base&players=2&seed=ban"))
        swap = page.locator("[name=swap]").first
        slug = swap.get_attribute("value")
        swap.click()
        page.get_by_role("button", name=re.compile("^Never")).click()
        page.get_by_role("link", name="Deal another table").click()
        assert f"without=witch,{slug}&" in page.url and "swap" not in page.url
        page.get_by_role("link", name="Change the options").click()
        assert page.locator("[name=without][type=text]").input_value() == ""
        page.locator(f"[data-banned][value={slug}]").uncheck()
        page.get_by_role("button", name="Deal", exact=True).first.click()
        assert "without=witch&" in page.url
        page.locator("nav").get_by_role("link", name="Deal").click()
        assert page.locator("[data-banned]").evaluate_all("all => all.map(each => each.value)") == ["witch"]
        page.get_by_role("button", name="Forget").click()
        until(page, "() => document.querySelector('[data-bans]').hidden")

    def test_enter_key_deals_in_the_language_of_the_page(self, phone: Opens) -> None:
        page = phone("")
        page.locator("summary", has_text="Filters").click()
        page.locator("[name=with]").fill("witch")
        page.locator("[name=with]").press("Enter")
        page.wait_for_url("**/table?*with=witch*")
        assert page.locator("html").get_attribute("lang") == "en"

    def test_types_are_told_by_colour_and_text(self, phone: Opens) -> None:
        page = phone(TABLE)
        colours = {}
        for kind in ("action", "attack", "treasure", "victory", "event"):
            line = page.locator(f".lines > li.type-{kind}").last
            colours[kind] = line.evaluate("line => getComputedStyle(line).borderLeftColor")
        assert len({*colours.values()}) == 5, colours

    def test_kingdom_is_on_the_first_screen(self, phone: Opens) -> None:
        for lang in ("en", "ja"):
            page = phone(TABLE + f"&lang={lang}")
            fifth = page.locator(".lines > li").nth(4).bounding_box()
            assert fifth and fifth["y"] + fifth["height"] < PHONE["height"], lang


class TestOffline:
    def test_visited_pages_are_readable_offline(self, phone: Opens) -> None:
        page = phone(TABLE)
        until(page, READY)
        for path in ("rules/dominion/call", "cards/young-witch", TABLE):
            page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + "/" + path)
        seen = page.locator("h1").inner_text()
        page.context.set_offline(True)
        page.reload()
        assert page.locator("h1").inner_text() == seen
        page.go_back()
        assert page.locator("h1").inner_text() == "Young Witch"


IS_ON_TOP = """each => { const box = each.getBoundingClientRect();
each = document.elementFromPoint(box.x + 20, box.y + 10); return each.matches("[data-offline]"); }"""
READY = "() => caches.match(location.href).then(Boolean)"  # what is on the screen has been kept


class TestDealing:
    def test_ticked_boxes_are_remembered(self, phone: Opens) -> None:
        page = phone("")
        page.locator("[data-all]").check()
        assert page.locator("[data-newest]:not(:checked)").count() == 0
        page.locator("[value=seaside-2e]").uncheck()
        assert not page.locator("[data-all]").is_checked()
        page.get_by_label("4", exact=True).check()
        page.get_by_role("button", name="Deal").first.click()
        assert "players=4" in page.url and "sets=" in page.url and "seaside" not in page.url
        page.get_by_role("link", name="Deal", exact=True).click()
        assert page.locator("[value=empires]").is_checked()
        assert not page.locator("[value=seaside-2e]").is_checked()
        assert page.get_by_label("4", exact=True).is_checked()

    def test_saved_boxes_are_ticked_again_after_a_deal_with_others(self, phone: Opens) -> None:
        page = phone("?sets=empires&sets=nocturne")
        page.get_by_role("button", name="Save as my boxes").click()
        assert page.get_by_role("button", name="Saved on this device").is_visible()
        page.locator("[value=nocturne]").uncheck()
        assert page.get_by_role("button", name="Save as my boxes").is_visible()
        page.get_by_role("button", name="Deal", exact=True).first.click()
        assert "sets=empires&" in page.url and "nocturne" not in page.url
        page.goto(page.url.split("table?")[0])
        ticked = page.locator("[name=sets]:checked")
        assert sorted(ticked.evaluate_all("all => all.map(each => each.value)")) == ["empires", "nocturne"]
        page.get_by_role("button", name="Forget").click()
        until(page, "() => document.querySelector('[name=sets]:checked').value === 'base-2e'")

    def test_options_become_a_page_to_bookmark_without_script(self, phone: Opens) -> None:
        page = phone("?sets=empires", java_script_enabled=False)
        page.locator("[name=players][value='5']").check()
        assert not page.get_by_role("button", name="Save as my boxes").is_visible()
        page.get_by_role("button", name="Open these options as a page to bookmark").click()
        page.goto(page.url)
        assert page.locator("[name=sets]:checked").get_attribute("value") == "empires"
        assert page.locator("[name=players]:checked").get_attribute("value") == "5"

    def test_remembered_boxes_override_the_user_defaults(self, browser: "Browser", tmp_path: Path) -> None:
        folder = tmp_path / "dominion-randomizer"
        folder.mkdir()
        (folder / "config.toml").write_text('sets = "empires"\nplayers = 5\n', encoding="utf-8")
        with run_server(env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}) as (_, port, _):
            page = browser.new_page()
            for box, players in (("empires", "5"), ("nocturne", "3")):
                page.goto(f"http://localhost:{port}/")
                assert page.locator("[name=sets]:checked").get_attribute("value") == box
                assert page.locator("[name=players]:checked").get_attribute("value") == players
                page.locator("[value=empires]").uncheck()
                page.evaluate(UNFOLD)
                page.locator("[value=nocturne]").check()
                page.locator("[name=players][value='3']").check()
            page.close()

    def test_wishes_are_remembered_and_visible(self, phone: Opens) -> None:
        page = phone("")
        page.get_by_text("Filters and preferences").click()
        page.locator("[name=want]").fill("village=2")
        page.get_by_role("button", name="Deal", exact=True).first.click()
        page.goto(page.url.split("table?")[0])
        assert page.locator("[name=want]").is_visible()
        assert page.locator("[name=want]").input_value() == "village=2"

    @pytest.mark.parametrize("script", [True, False])
    def test_language_switch_keeps_what_was_typed(self, phone: Opens, script: bool) -> None:
        page = phone("?sets=base&sets=empires&lang=en", java_script_enabled=script)
        page.get_by_text("Filters and preferences").click()
        page.locator("[name=want]").fill("village=2")
        page.locator("[value=empires]").uncheck()
        page.locator(".languages summary").click()
        page.get_by_role("button", name="日本語").click()
        assert page.locator("html").get_attribute("lang") == "ja"
        assert page.locator("[name=want]").input_value() == "village=2"
        assert page.locator("[value=base-2e]").is_checked()
        assert not page.locator("[value=empires]").is_checked()

    def test_form_says_what_is_dealt_if_no_box_is_ticked(self, phone: Opens) -> None:
        page = phone("")
        assert page.locator("[value=base-2e]").is_checked()
        assert not page.get_by_text("No box is ticked").is_visible()
        page.locator("[value=base-2e]").uncheck()
        assert page.get_by_text("No box is ticked: the cards come from Base 2E").is_visible()

    def test_share_and_copy_work_without_a_clipboard(self, phone: Opens) -> None:
        """On plain http a page has neither; a phone then has to show something."""
        page = phone(TABLE)
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.evaluate("Object.defineProperty(navigator, 'share', { value: undefined })")
        page.evaluate("document.execCommand = () => false")
        page.get_by_text("Share", exact=True).first.click()
        page.locator("[data-share]").click()
        page.get_by_role("button", name="Selected: copy it now").wait_for()
        assert page.evaluate("getSelection().toString()") == page.url
        page.get_by_role("button", name="Copy the command").click()
        page.locator("[data-copy]", has_text="Selected: copy it now").wait_for()
        assert page.evaluate("getSelection().toString()").startswith("dominion-setup")

    def test_deal_buttons_cover_nothing(self, phone: Opens) -> None:
        page = phone("", viewport={"width": 1280, "height": 900})
        page.evaluate(UNFOLD)
        page.locator("[name=kingdom]").scroll_into_view_if_needed()
        for button in page.get_by_role("button", name="Deal", exact=True).all():
            assert button.evaluate("button => getComputedStyle(button.parentElement).position") == "static"

    def test_without_script(self, phone: Opens) -> None:
        page = phone("", java_script_enabled=False)
        page.locator("[value=all]").check()
        page.get_by_role("button", name="Deal").first.click()
        assert "sets=all&players=2&seed=" in page.url
        tick(page, 1)
        page.get_by_role("button", name="Swap").first.click()
        assert (
            "swap=" in page.url
            and page.locator("[data-tick]:checked").count() == 1
            and page.locator("h1").inner_text() == "Dominion"
        )

    def test_names_are_completed_in_the_form(self, phone: Opens) -> None:
        page = phone("")
        page.get_by_text("Filters and preferences").click()
        page.locator("[name=with]").press_sequentially("young")
        page.locator("datalist option[value=young-witch]").wait_for(state="attached")

    def test_table_url_can_be_copied(self, phone: Opens) -> None:
        page = phone(TABLE)
        page.get_by_text("Share", exact=True).first.click()
        assert page.locator("[data-address]").input_value() == page.url
        until(page, "() => document.querySelector('.share img').naturalWidth > 50")


@pytest.mark.parametrize("paper", ["A4", "Letter"])
class TestPaper:
    """The sheet of the page in a file, without what only a screen has."""

    @in_both_languages
    @pytest.mark.parametrize("deal", ORDINARY, ids=lambda deal: deal[1])
    def test_ordinary_table_prints_on_one_sheet(
        self, phone: Opens, deal: list[str], lang: str, paper: str
    ) -> None:
        page = phone(f"table?{asked(deal)}&lang={lang}")
        tick(page, 0)
        (sheet,) = sheets(page, paper)
        text = " ".join(normalize("NFKC", sheet).split())  # two letters in one, for instance
        for name in page.locator(".name").all_inner_texts() if lang == "en" else ():
            assert name in text
        assert "dominion-setup" in text
        for heading in ("Deal this table again", "同じ卓を再現"):  # They contain the text of a link.
            text = text.replace(heading, "")
        for left in page.locator(".swap, .share h2, .played h2, nav a, header .button").all_inner_texts():
            assert not left or left not in text

    def test_without_script_too(self, phone: Opens, paper: str) -> None:
        (sheet,) = sheets(phone(TABLE, java_script_enabled=False), paper)
        assert "Throne Room" in sheet and "Save ticks" not in sheet

    def test_rules_are_printed_on_request(self, phone: Opens, paper: str) -> None:
        page = phone(TABLE)
        page.get_by_label("include the rules").check()
        first, *others = sheets(page, paper)
        assert "Rules for this table" not in first and "Rules for this table" in others[0]


def asked(deal: list[str]) -> str:
    """The address of a table that a command line deals, behind its `?`."""
    flags = {name.removeprefix("--"): value for name, value in zip(deal, [*deal[1:], ""], strict=True)}
    return encode_query(
        (name, "yes" if value.startswith("--") or not value else value)
        for name, value in flags.items()
        if f"--{name}" in deal and name != "about"
    )


class TestRules:
    def test_rules_are_found_while_typing(self, phone: Opens) -> None:
        page = phone("rules")
        page.get_by_role("searchbox").press_sequentially("呪い")
        page.locator("#results .rule", has_text="呪い").first.wait_for()
        assert "q=" in page.url
        page.reload()
        assert page.locator("#results .rule", has_text="呪い").count()

    def test_rule_search_keeps_the_chosen_language(self, phone: Opens) -> None:
        page = phone("rules?lang=ja")
        page.get_by_role("searchbox").press_sequentially("curse")
        page.locator("#results .rule", has_text="呪い").first.wait_for()
        assert page.url.count("lang=ja") == page.url.count("?") == 1

    def test_rules_of_a_table_can_be_searched(self, phone: Opens) -> None:
        page = phone(TABLE + "&lang=ja")
        page.locator("[data-search]").fill("さかばまっと")
        assert 0 < page.locator(f"{RULE}:visible").count() < 5

    def test_rules_link_to_related_rules(self, phone: Opens) -> None:
        page = phone(TABLE)
        page.locator("nav").get_by_role("link", name="Rules").click()
        page.locator("#results summary").first.click()
        page.get_by_role("link", name="Open this rule").first.click()
        first = page.url
        page.locator(".see a").first.click()
        assert "/rules/dominion/" in page.url != first

    def test_in_japanese(self, phone: Opens) -> None:
        page = phone("rules/dominion/call")
        page.locator(".languages summary").click()
        page.get_by_role("link", name="日本語").click()
        assert "lang=ja" in page.url and page.locator("html").get_attribute("lang") == "ja"


@in_both_languages
@pytest.mark.parametrize("path", PAGES)
def test_pages_are_accessible(phone: Opens, path: str, lang: str) -> None:
    page = phone(path + ("&" if "?" in path else "?") + f"lang={lang}")
    for change in ("", UNFOLD):
        page.evaluate(change)
        assert_accessible(page)


@in_both_languages
@pytest.mark.parametrize("path", PAGES)
def test_pages_do_not_scroll_sideways(phone: Opens, lang: str, path: str) -> None:
    page = phone(path + ("&" if "?" in path else "?") + f"lang={lang}")
    page.evaluate(UNFOLD)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert too_wide(page) == [], width


@pytest.mark.parametrize("lang", list_codes())
def test_navigation_fits_on_one_line_of_a_phone(phone: Opens, lang: str) -> None:
    for width in (360, 390):
        page = phone(f"statistics?lang={lang}", viewport={"width": width, "height": 700})
        links = page.locator("nav a:visible, nav summary")
        tops = links.evaluate_all("links => links.map(link => link.getBoundingClientRect().top)")
        assert len(tops) > 6 and len(set(tops)) == 1, width


def test_touch_targets_are_large_enough(phone: Opens) -> None:
    """44 px, but for links within a text."""
    for path in PAGES:
        page = phone(path)
        page.evaluate(UNFOLD)
        for target in page.locator(
            "summary, button, nav a, p:not(.see) > a, input:not(label input), select"
        ).all():
            box = target.bounding_box()
            assert box is None or box["height"] >= 44, (path, target.inner_text())


def test_hostile_input_runs_no_script(phone: Opens, address: str) -> None:
    """Those of an address: whatever would run is heard."""
    page = phone("")
    for hostile in ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)"):
        for path in (
            "table?sets=base&seed=",
            "table?with=",
            "table?sets=base&veto=1&seed=",
            "table?sets=base&veto=1&vetoed=",
            "?kingdom=",
            "rules?q=",
            "kingdoms?q=",
            "statistics?player=",
            "statistics?since=2026-01-01&game=dominion&player=",
            "rules?table=",
        ):
            page.goto(address + path + hostile.replace("<", "%3C").replace('"', "%22"))
            assert page.locator("main script, main img[src=x]").count() == 0
            assert not re.search(r"^javascript:", " ".join(page.evaluate(LINKS)))


LINKS = "() => [...document.querySelectorAll('a')].map((link) => link.href)"
