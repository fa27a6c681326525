"""A query in words."""

from collections.abc import Mapping, Sequence

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
