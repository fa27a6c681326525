"""Setup's requests in words: what a query asks for, what a verb that chooses or decorates does."""

from collections.abc import Mapping, Sequence

from randomizer.deal.decorating import Mark, Note, Place
from randomizer.deal.growing import Deal
from randomizer.deal.table import Effect
from randomizer.text.language import Language


def asked(query: Mapping[str, Sequence[str | int]], language: Language) -> str:
    """A query in words, from its parts: `Action, not Duration, $2 or $3`."""
    say = language.say

    def types(part: str) -> list[str]:
        return [language.types.get(str(type_), str(type_)) for type_ in query.get(part, ())]

    parts = [
        say(" or ").join(types("type")),
        *(say("not {text}", text=type_) for type_ in types("without")),
        say(" or ").join(f"${cost}" for cost in query.get("cost", ())),
        say(" or ").join(language.name(str(name)) for name in query.get("name", ())),
    ]
    return language.listed(filter(None, parts))


_DEALT = {
    "kingdom": "an unused Kingdom pile, into the Supply",
    "beside": "an unused Kingdom pile, beside the Supply",
    "aside": "a single unused Kingdom card, set aside",
    "deck": "unused cards, as a deck",
    "landscapes": "one of its kind at random",
    "box": "back into the box",
}


def described(effect: Effect, asker: str, players: int, language: Language) -> str:
    """What a choosing or decorating verb does, in words; nothing for a verb that shows in what is out."""
    say = language.say
    if isinstance(effect, Deal):
        what = [say(_DEALT[effect.to]), asked(effect.is_._asdict(), language)]
        if effect.to == "deck" and effect.count.number:
            what.append(say("{count} cards", count=effect.count.number))
        return f"{language.name(effect.slot(asker))}: {language.listed(filter(None, what))}"
    if isinstance(effect, Mark):
        what = [say("one pile at random"), asked(effect.is_._asdict(), language)]
        return f"{language.name(asker)}: {language.listed(filter(None, what))}"
    if isinstance(effect, Place) and effect.piles:
        piles = [say("on each pile of the Supply"), asked(effect.is_._asdict(), language)]
        tokens = f"{effect.count.at(players)} {language.name(effect.token)}"
        return f"{tokens}: {language.listed(filter(None, piles))}"
    if isinstance(effect, Note) and "{on}" not in effect.say:
        return say(effect.say)
    return ""
