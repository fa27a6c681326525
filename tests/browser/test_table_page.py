"""The page in a file, as people have it before them: on phones, on a laptop, on paper, read aloud."""

import json
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Saves, Visits, until
from tests.show.test_html import HOSTILE
from tests.support import run
from tests.support.fuzz import deal_documents
from tests.support.nasty import append_everywhere
from tests.test_safety import FIXED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TABLE = ["--sets", "base,adventures", "--players", "3", "--seed", "k7f3"]
NESTED = ["--sets", "cornucopia-guilds,rising-sun", "--players", "4", "--seed", "15329", "--about"]
MISSING = ["--sets", "cornucopia,alchemy", "--seed", "100"]
NOTES = ["--sets", "nocturne,promos,dark-ages", "--seed", "5", "--shelters", "--about"]
TABLES = {"table": TABLE, "nested": NESTED, "missing": MISSING, "notes": NOTES}
ORDINARY = [
    ["--sets", "base", "--seed", "first"],
    TABLE,
    NESTED,
    MISSING,
    ["--sets", "base,intrigue,seaside", "--players", "4", "--seed", "b"],
    ["--sets", "prosperity,empires,renaissance", "--players", "4", "--seed", "c"],
    ["--sets", "dark-ages,hinterlands,menagerie", "--players", "2", "--seed", "d"],
    ["--sets", "allies,plunder,nocturne", "--players", "3", "--seed", "e"],
]
RULE = "section > details"
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true"
COLOURS = ("light", "dark")
WIDTHS = (320, 390, 1280)  # pixels
in_both_languages = pytest.mark.parametrize("lang", ["en", "ja"])


def too_wide(page: "Page") -> list[str]:
    """What sticks out of the window, and makes people scroll to the side."""
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
           [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth)
           .map(e => e.outerHTML.slice(0, 120))"""
    )
    return found


def assert_accessible(page: "Page") -> None:
    """Check a page by axe: by all its rules in light colours, and the contrast in dark ones, too."""
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme="light")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    page.emulate_media(color_scheme="dark")
    results = Axe().run(page, options={"runOnly": ["color-contrast"]})
    assert results.violations_count == 0, results.generate_report()


class TestSizes:
    @in_both_languages
    @pytest.mark.parametrize("name", TABLES)
    def test_page_does_not_scroll_sideways(self, visit: Visits, save: Saves, lang: str, name: str) -> None:
        page = visit(save(*TABLES[name], "--lang", lang))
        page.evaluate(UNFOLD)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert too_wide(page) == [], width
            assert page.locator("h1:visible").count() == 1

    @in_both_languages
    def test_page_fits_at_twice_the_font_size(self, visit: Visits, save: Saves, lang: str) -> None:
        page = visit(save(*NESTED, "--lang", lang), width=640)
        page.evaluate(UNFOLD)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert too_wide(page) == []

    def test_colours_follow_the_system(self, visit: Visits, save: Saves) -> None:
        address = save(*TABLE)
        light, dark = (visit(address, color_scheme=colours) for colours in COLOURS)
        paper = "getComputedStyle(document.body).backgroundColor"
        assert light.evaluate(paper) == "rgb(245, 239, 228)"
        assert dark.evaluate(paper) == "rgb(26, 22, 19)"

    def test_touch_targets_are_large_enough(self, visit: Visits, save: Saves) -> None:
        """44 px, but for links within a text."""
        page = visit(save(*NESTED), **PHONE)
        for target in page.locator("summary:visible, label:visible, button:visible, nav a, .bar a").all():
            box = target.bounding_box()
            assert box is None or box["height"] >= 44, target.inner_text()


class TestLanguages:
    def test_language_switch_keeps_the_scroll_position(self, visit: Visits, save: Saves) -> None:
        page = visit(save(*TABLE), **PHONE)
        assert page.locator("article:visible").get_attribute("lang") == "en"
        page.evaluate("scrollTo(0, 300)")
        page.evaluate("document.querySelector('nav [lang=ja]').click()")
        assert page.locator("article:visible").get_attribute("lang") == "ja"
        assert page.evaluate("document.documentElement.lang") == "ja"
        assert page.title().startswith("ドミニオン")
        assert abs(page.evaluate("scrollY") - 300) < 100  # the lines above are not as high in either
        page.reload()
        assert page.locator("article:visible").get_attribute("lang") == "ja"
        page.get_by_role("link", name="English").click()
        assert page.locator("article:visible").get_attribute("lang") == "en"
        assert page.locator("nav [aria-current]").inner_text() == "English"

    def test_requested_language_is_shown_first(self, visit: Visits, save: Saves) -> None:
        page = visit(save(*TABLE, "--lang", "ja"))
        assert page.locator("h1:visible").inner_text() == "ドミニオン"


class TestTicks:
    def test_ticks_survive_a_reload(self, visit: Visits, save: Saves) -> None:
        """In both languages, over a reload, for this table alone; and taken away together."""
        address = save(*TABLE)
        page = visit(address, **PHONE)
        assert page.locator("[data-done]:visible").inner_text() == "0 of 34 done"
        page.get_by_label("10 Chapel").check()
        page.get_by_text("Throne Room").first.click()
        page.locator("[data-done]:visible", has_text="2 of 34").wait_for()
        page.reload()
        assert page.get_by_label("10 Chapel").is_checked()
        assert page.get_by_label("10 Throne Room").is_checked()
        assert page.locator("[data-done]:visible").inner_text() == "2 of 34 done"
        assert page.locator(".done:visible").first.inner_text() == "2/10"
        page.get_by_role("link", name="日本語").click()
        assert page.get_by_label("10 礼拝堂").is_checked()
        page.get_by_label("10 礼拝堂").uncheck()
        page.goto(save("--sets", "base", "--seed", "x", name="other"))
        assert page.locator("input:checked").count() == 0
        page.goto(address)
        page.reload()  # what another process of the browser has kept may come late, on a busy machine
        assert page.locator("article:visible input:checked").count() == 1
        page.get_by_role("button", name="Clear all ticks").click()
        assert page.locator("article:visible input:checked").count() == 1
        page.get_by_role("button", name="Yes, clear all ticks").click()
        page.get_by_role("button", name="Restore the ticks").click()
        page.reload()
        assert page.locator("article:visible input:checked").count() == 1
        page.get_by_role("button", name="Clear all ticks").click()
        page.get_by_role("button", name="Yes, clear all ticks").click()
        page.reload()
        assert page.locator("input:checked").count() == 0
        assert page.evaluate("localStorage.length") == 0

    def test_ticks_are_shared_between_windows(self, visit: Visits, save: Saves) -> None:
        address = save(*TABLE)
        one = visit(address)
        other = one.context.new_page()
        other.goto(address)
        one.get_by_label("10 Chapel").check()
        other.locator("[data-tick]:checked").first.wait_for(state="attached")

    def test_invalid_stored_ticks_are_ignored(self, visit: Visits, save: Saves) -> None:
        page = visit(save(*TABLE))
        page.get_by_label("10 Chapel").check()
        (key,) = page.evaluate("Object.keys(localStorage)")
        for nasty in ("{", "5", "null", '{"a": 1}', '["<b>", 7, null]', "x" * 100_000):
            page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, nasty])
            page.reload()
            assert page.locator("input:checked").count() == 0
            assert page.locator("[data-done]:visible").inner_text() == "0 of 34 done"

    def test_lines_can_be_ticked_by_keyboard(self, visit: Visits, save: Saves) -> None:
        page = visit(save(*TABLE))
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('[data-tick]')"):
                break
        page.keyboard.press("Space")
        assert page.locator("article:visible input:checked").count() == 1
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


class TestRules:
    @pytest.mark.parametrize(
        ("words", "first", "found"),
        [
            ("tavern", "Tavern mat", 3),
            ("酒場マット", "Tavern mat", 1),  # which is what it is called besides
            ("さかば", "Tavern mat", 1),
            ("サカバ", "Tavern mat", 1),
            ("TAVERN  Mat", "Tavern mat", 3),
            ("nonsense", "", 0),
        ],
    )
    def test_search_finds_titles_names_and_texts(
        self, visit: Visits, save: Saves, words: str, first: str, found: int
    ) -> None:
        page = visit(save(*TABLE), **PHONE)
        page.get_by_label("Search these rules").fill(words)
        rules = page.locator(f"{RULE}:visible > summary").all_inner_texts()
        assert (first in rules) == bool(first) and len(rules) >= found
        assert page.get_by_role("status").first.inner_text() == f"{len(rules)} found"
        assert (len(rules) == 0) == (found == 0)
        page.get_by_label("Search these rules").fill("")
        assert page.locator(f"{RULE}:visible").count() > 20

    def test_link_to_a_rule_unfolds_it(self, visit: Visits, save: Saves) -> None:
        page = visit(save(*TABLE), **PHONE)
        page.locator("#en-tavern-mat > summary").click()
        link = page.locator("#en-tavern-mat a").first
        target = link.get_attribute("href") or ""
        link.click()
        until(page, "id => document.querySelector(id).open", target)
        assert page.locator(f"{target} > p").first.is_visible()
        assert page.evaluate("scrollY") > 0

    def test_progress_bar_links_to_the_rules(self, visit: Visits, save: Saves) -> None:
        page = visit(save(*TABLE), **PHONE)
        page.locator(".bar:visible").get_by_role("link", name="Rules").click()
        until(page, "() => document.querySelector('#en-rules').getBoundingClientRect().top < 200")


class TestWithoutScript:
    @in_both_languages
    def test_everything_is_readable_without_script(self, visit: Visits, save: Saves, lang: str) -> None:
        page = visit(save(*NESTED, "--lang", lang), **PHONE, java_script_enabled=False)
        assert page.locator("article:visible").count() == 2
        assert page.locator(".scripted:visible").count() == 0
        assert page.locator("[data-tick]:visible").count() == page.locator("[data-tick]").count() > 60
        rule = page.locator(RULE).first
        rule.locator("summary").click()
        assert rule.locator("p").first.is_visible()
        page.locator("[data-tick]").first.check()


def test_page_works_offline(visit: Visits, save: Saves) -> None:
    page = visit(save(*TABLE), offline=True)
    page.reload()
    page.get_by_label("10 Chapel").check()
    assert page.get_by_role("link", name="日本語").is_visible()


def test_command_is_copied(visit: Visits, save: Saves) -> None:
    page = visit(save(*TABLE), permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the command").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "dominion-setup --sets base,adventures --players 3 --seed k7f3"


# ── Paper ──


def sheets(page: "Page", paper: str) -> list[str]:
    """What stands on each sheet."""
    from pypdf import PdfReader

    return [sheet.extract_text() for sheet in PdfReader(BytesIO(page.pdf(format=paper))).pages]


@pytest.mark.parametrize("paper", ["A4", "Letter"])
class TestPaper:
    @in_both_languages
    @pytest.mark.parametrize("deal", ORDINARY, ids=lambda deal: deal[1])
    def test_ordinary_table_prints_on_one_sheet(
        self, visit: Visits, save: Saves, deal: list[str], lang: str, paper: str
    ) -> None:
        page = visit(save(*deal, "--lang", lang), **PHONE)
        (sheet,) = sheets(page, paper)
        assert "dominion-setup" in sheet

    def test_without_script_too_in_the_language_asked_for(
        self, visit: Visits, save: Saves, paper: str
    ) -> None:
        page = visit(save(*TABLE, "--lang", "ja"), java_script_enabled=False)
        (sheet,) = sheets(page, paper)
        assert "Cellar" not in sheet and "礼拝堂" in sheet.replace(" ", "")

    def test_shown_language_is_printed(self, visit: Visits, save: Saves, paper: str) -> None:
        page = visit(save(*TABLE))
        page.get_by_role("link", name="日本語").click()
        (sheet,) = sheets(page, paper)
        assert "Cellar" not in sheet

    def test_folded_and_ticked_parts_are_printed(self, visit: Visits, save: Saves, paper: str) -> None:
        page = visit(save(*TABLE))
        page.get_by_label("10 Chapel").check()
        page.locator("summary", has_text="Kingdom").first.click()
        assert not page.get_by_text("Throne Room").first.is_visible()
        (sheet,) = sheets(page, paper)
        assert "Throne Room" in sheet and "Chapel" in sheet and "Tavern mat" in sheet

    def test_rules_are_printed_on_request(self, visit: Visits, save: Saves, paper: str) -> None:
        page = visit(save(*TABLE))
        assert "Rules for this table" not in sheets(page, paper)[0]
        page.get_by_label("include the rules").check()
        first, *others = sheets(page, paper)
        assert "Rules for this table" not in first
        assert "Rules for this table" in others[0] and "Tavern mat" in " ".join(others)
        rule = page.locator("#en-tavern-mat > p").first.text_content() or ""
        assert rule[:20] in " ".join(" ".join(others).split())

    def test_print_is_black_on_white(self, visit: Visits, save: Saves, paper: str) -> None:
        page = visit(save(*NOTES), color_scheme="dark")
        page.emulate_media(media="print")
        for selector in ("body", ".block", ".name", ".remark"):
            colours = page.evaluate(
                """selector => { const style = getComputedStyle(document.querySelector(selector));
                return [style.color, style.backgroundColor]; }""",
                selector,
            )
            assert colours[0] == "rgb(0, 0, 0)"
            assert colours[1] in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")


# ── For everybody ──


@in_both_languages
@pytest.mark.parametrize("name", TABLES)
def test_page_is_accessible(visit: Visits, save: Saves, lang: str, name: str) -> None:
    """Folded, unfolded, ticked, and without script."""
    page = visit(save(*TABLES[name], "--lang", lang), **PHONE)
    for change in ("", UNFOLD, "document.querySelector('article:not([hidden]) [data-tick]').click()"):
        page.evaluate(change)
        assert_accessible(page)


@in_both_languages
def test_accessibility_tree_has_headings_lists_and_checkboxes(visit: Visits, save: Saves, lang: str) -> None:
    page = visit(save(*TABLE, "--lang", lang))
    read = page.locator("article:visible").aria_snapshot()
    lines = sum(len(section["items"]) for section in json.loads(run(*TABLE, "--json").stdout)["checklist"])
    assert read.count("- checkbox ") == lines + 1  # One more includes the rules in print.
    assert read.count("- listitem") >= lines and read.count("- heading ") > 1
    assert "- searchbox " in read and "- progressbar " in read


# ── Whatever a document says ──


@pytest.mark.parametrize("nasty", HOSTILE)
def test_hostile_document_runs_no_script(visit: Visits, tmp_path: Path, nasty: str) -> None:
    """No dialog, no error, not even a violation of the policy, which has nothing to stop."""
    for number, document in enumerate(deal_documents()[:3]):
        changed = {**append_everywhere(document, nasty, except_keys=FIXED), "options": document["options"]}
        path = tmp_path / f"{number}.html"
        shown = run("show", "-", "--format", "html", input=json.dumps(changed))
        path.write_text(shown.stdout, encoding="utf-8")
        page = visit(path.as_uri())
        assert page.locator("article script, article style, article img, article svg").count() == 0
        assert page.locator("article:visible .name").first.inner_text().endswith(nasty)
        page.locator("article:visible [data-tick]").first.check()
        page.evaluate(UNFOLD)


def test_policy_blocks_foreign_scripts(browser: "Browser", save: Saves, tmp_path: Path) -> None:
    """Should anything get in: it is let neither run nor look like ours."""
    address = save(*TABLE)
    path = tmp_path / "game.html"
    foreign = "<script>document.title = 'pwned'</script><img src='http://localhost:9/'><i style='color: red'>"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("</main>", f"{foreign}</main>"), encoding="utf-8")
    page = browser.new_page()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.goto(address)
    assert page.title() != "pwned"
    for kind in ("script-src", "style-src", "default-src"):
        assert any("Content Security Policy directive" in each and kind in each for each in heard), heard
    page.close()
