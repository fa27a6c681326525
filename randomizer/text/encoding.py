"""Text for a screen or pipe that does not take every character, such as a Windows code page."""

_PLAIN = {"–": "-", "—": "-", "−": "-", "→": "->", "·": "|", "…": "...", "’": "'", "“": '"', "”": '"'}


def plain(text: str, encoding: str) -> str:
    """The text with plainer signs, or at worst `?`, for what the encoding lacks."""

    def fitting(char: str) -> str:
        for option in (char, _PLAIN.get(char, "?")):
            try:
                option.encode(encoding)
            except UnicodeEncodeError:
                continue
            return option
        return "?"

    return "".join(map(fitting, text))


def escaped(text: str) -> str:
    """JSON text with JSON's own escapes for everything beyond ASCII: the same document."""
    units = (char.encode("utf-16-be") for char in text)
    return "".join(
        chr(unit[1])
        if unit[0] == 0 and unit[1] < 128
        else "".join(f"\\u{unit[place]:02x}{unit[place + 1]:02x}" for place in range(0, len(unit), 2))
        for unit in units
    )
