"""Tables that fit the screen."""

from randomizer.text.width import table


class TestTable:
    HEADS = ("name", "number", "what it is")
    ROWS = (("Abc", "1", "a letter or two or three"), ("Defghi jkl", "22", "冒険、夜想曲、移動動物園"))

    def test_as_wide_as_it_is(self) -> None:
        assert table(self.HEADS, self.ROWS, 500, right=[1]) == [
            "name          number  what it is",
            "----------  --------  ------------------------",
            "Abc                1  a letter or two or three",
            "Defghi jkl        22  冒険、夜想曲、移動動物園",
        ]

    def test_the_widest_column_is_wrapped_first(self) -> None:
        assert table(self.HEADS, self.ROWS, 36, right=[1]) == [
            "name          number  what it is",
            "----------  --------  --------------",
            "Abc                1  a letter or",
            "                      two or three",
            "Defghi jkl        22  冒険、夜想曲、",
            "                      移動動物園",
        ]

    def test_the_last_column_goes_where_that_is_no_help(self) -> None:
        assert table(self.HEADS, self.ROWS, 19, right=[1]) == [
            "name      number",
            "------  --------",
            "Abc            1",
            "Defghi        22",
            "jkl",
        ]

    def test_the_first_one_stays(self) -> None:
        assert table((), [["a word", "b"]], 1) == ["a", "word"]
