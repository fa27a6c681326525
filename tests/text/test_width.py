"""Tables that fit the screen."""

from randomizer.text.width import render_table, wrap


class TestTable:
    HEADS = ("name", "number", "what it is")
    ROWS = (("Abc", "1", "a letter or two or three"), ("Defghi jkl", "22", "冒険、夜想曲、移動動物園"))

    def test_as_wide_as_it_is(self) -> None:
        assert render_table(self.HEADS, self.ROWS, 500, right=[1]) == [
            "name          number  what it is",
            "----------  --------  ------------------------",
            "Abc                1  a letter or two or three",
            "Defghi jkl        22  冒険、夜想曲、移動動物園",
        ]

    def test_the_widest_column_is_wrapped_first(self) -> None:
        assert render_table(self.HEADS, self.ROWS, 36, right=[1]) == [
            "name          number  what it is",
            "----------  --------  --------------",
            "Abc                1  a letter or",
            "                      two or three",
            "Defghi jkl        22  冒険、夜想曲、",
            "                      移動動物園",
        ]

    def test_the_last_column_goes_where_that_is_no_help(self) -> None:
        assert render_table(self.HEADS, self.ROWS, 19, right=[1]) == [
            "name      number",
            "------  --------",
            "Abc            1",
            "Defghi        22",
            "jkl",
        ]

    def test_the_first_one_stays(self) -> None:
        assert render_table((), [["a word", "b"]], 1) == ["a", "word"]


class TestWrap:
    def test_a_word_in_katakana_is_not_broken(self) -> None:
        assert wrap("最後にチャンピオンへ", 14) == ["最後に", "チャンピオンへ"]
        assert wrap("鬼火やウィル・オ・ウィスプ", 24) == ["鬼火や", "ウィル・オ・ウィスプ"]

    def test_between_other_letters_a_line_may_break(self) -> None:
        assert wrap("場札と山札、捨て札", 8) == ["場札と山", "札、捨て", "札"]


def test_closing_mark_starts_no_line_and_opening_mark_ends_none() -> None:
    assert wrap("王国並べ。る", 8) == ["王国並", "べ。る"]
    assert wrap("王国並（べる", 8) == ["王国並", "（べる"]
