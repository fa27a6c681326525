"""Renders boxes and cards as text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from randomizer.browse.catalogue import build_box_facts, list_boxes
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.deal.dealer import preview_card
from randomizer.record.build import build_setup
from randomizer.setup import checklist
from randomizer.setup.lines import join_remarks
from randomizer.text.language import Language
from randomizer.text.screen import Style
from randomizer.text.width import render_table, wrap


def render_boxes(game: Game, language: Language, style: Style) -> str:
    """Render the boxes as a table."""
    rows = []
    for box in list_boxes(game):
        facts = build_box_facts(box, game, ())
        landscapes = language.join(
            f"{language.translate(game.kinds[kind].title)} {count}"
            for kind, count in facts["landscape_counts"].items()
        )
        edition = f"{box.edition}E" if box.slug.endswith(f"-{box.edition}e") else ""
        piles = str(facts["kingdom_count"] or (language.translate("announced") if box.announced else 0))
        year = str(box.year or "")
        rows.append((box.slug, language.boxes[box.slug], edition, year, piles, landscapes))
    headings = [
        language.translate(heading)
        for heading in ("--sets", "box", "edition", "year", "Kingdom", "landscapes")
    ]
    return _style_table(render_table(headings, rows, style.columns, right=[3]), style)


def render_cards(cards: Sequence[Card], game: Game, language: Language, style: Style) -> str:
    """Render the cards as a table."""
    rows = [
        (
            language.translate_name(card.name),
            str(card.cost or ""),
            "–".join(language.types.get(type_, type_) for type_ in card.types),
            _get_set_name(card, game, language),
        )
        for card in cards
    ]
    headings = [language.translate(heading) for heading in ("name", "cost", "types", "set")]
    return _style_table(render_table(headings, rows, style.columns, right=[1]), style)


def _get_set_name(card: Card, game: Game, language: Language) -> str:
    """Return the name of a card's set, or of its newest box if some edition of the set lacks the card."""
    boxes = [slug for slug, box in game.boxes.items() if card.set in box.holds and slug in card.boxes]
    edition_count = sum(card.set in box.holds for box in game.boxes.values())
    return (
        language.boxes[boxes[-1]] if 0 < len(boxes) < edition_count else language.sets.get(card.set, card.set)
    )


def _style_table(lines: Sequence[str], style: Style) -> str:
    """Join the lines of a table, with its first line styled as a heading."""
    return "\n".join([style.style_heading(lines[0]), *lines[1:]])


def describe_card(card: Card, game: Game, languages: Sequence[Language], language: Language) -> Iterator[str]:
    """Yield facts about a card, one per line, followed by its setup instructions."""
    yield from describe_facts(card, game, languages, language)
    yield from describe_setup(card, game, languages, language)


def describe_facts(
    card: Card, game: Game, languages: Sequence[Language], language: Language
) -> Iterator[str]:
    """Yield the names, cost, types, abilities, boxes and pile of a card, one fact per line."""
    translate = language.translate
    names = dict.fromkeys((language.translate_name(card.name), card.name, *card.also))
    yield " · ".join(names)
    types = "–".join(language.types.get(type_, type_) for type_ in card.types)
    yield language.join(filter(None, (str(card.cost or ""), types)))
    if card.does:
        yield translate("does: {text}", text=language.join(map(translate, card.does)))
    yield translate("in {text}", text=language.join(language.boxes[slug] for slug in card.boxes))
    counts = {n: game.get_pile_count(card).for_players(n) for n in game.player_counts()}
    if game.kinds[card.kind].is_ == "pile":
        yield translate("pile: {text}", text=language.join(_describe_counts(counts, language)))
    if card.member_of:
        yield translate("in the {on} pile", on=card.member_of)
    if card.pile:
        yield translate(
            "in this pile: {text}", text=language.join(language.translate_name(name) for name, _ in card.pile)
        )
    translations = dict.fromkeys(other.translate_name(card.name) for other in languages)
    if others := [name for name in translations if name not in names]:
        yield translate("in other languages: {text}", text=language.join(others))


def describe_setup(
    card: Card, game: Game, languages: Sequence[Language], language: Language, players: int = 2
) -> Iterator[str]:
    """Yield a heading and lines that describe what a card needs during setup; nothing if it needs nothing."""
    translate = language.translate
    table, described = preview_card(card, game, players, language)
    setup = build_setup(game, Request((), players, ""), table, languages[:1])
    caused_lines = [
        (section.title, line)
        for section in checklist.build_checklist(setup, language)
        for line in section.lines
        if line.because
    ]
    lines = []
    for title, line in caused_lines:
        place = translate("into the trash") if title == translate("Into the trash") else ""
        causes = language.join(language.translate_name(cause) for cause in line.because if cause != card.name)
        description = language.join(
            filter(None, (f"{line.count_ or ''} {line.name}".strip(), place, line.detail))
        )
        lines.append(join_remarks(description, causes and translate("for {text}", text=causes), language))
    lines += described
    if lines:
        yield translate("At setup, with {players} players:", players=players)
        yield from (f"  {line}" for line in lines)


def wrap_facts(facts: Iterable[str], style: Style) -> list[str]:
    """Wrap facts about a card. The first fact is styled as a heading. Continuation lines are indented."""
    lines: list[str] = []
    for fact in facts:
        if not lines:
            lines += map(style.style_heading, wrap(fact, style.columns))
            continue
        indent = " " * (len(fact) - len(fact.lstrip()))
        first, *more = wrap(fact.lstrip(), style.columns - len(indent) - 2)
        lines += [indent + first, *(f"{indent}  {line}" for line in more)]
    return lines


def _describe_counts(counts: Mapping[int, int], language: Language) -> Iterator[str]:
    """Yield descriptions of a count that depends on the number of players, such as `8 for 2 players`."""
    steps = [players for players, count in counts.items() if count != counts.get(players - 1)]
    for players, next_step in zip(steps, [*steps[1:], None], strict=True):
        if len(steps) == 1:
            yield str(counts[players])
        elif next_step == players + 1 or (next_step is None and players == max(counts)):
            yield language.translate("{count} for {players} players", count=counts[players], players=players)
        else:
            yield language.translate(
                "{count} for {players} or more players", count=counts[players], players=players
            )
