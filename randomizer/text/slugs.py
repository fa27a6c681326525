"""Names as one types them on a command line."""


def slug_of(name: str) -> str:
    """A name in small letters with hyphens: `One's/Other Name` is `ones-other-name`."""
    letters = [letter if letter.isalnum() else " " for letter in name.casefold().replace("'", "")]
    return "-".join("".join(letters).split())


def flag(option: str) -> str:
    """An option with its dashes: `landscapes_from` is `--landscapes-from`."""
    return f"--{option.replace('_', '-')}"
