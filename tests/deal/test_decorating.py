"""Tests of the random choices of decorating verbs."""

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.decorating import Mark
from randomizer.deal.unused import RandomSource


def test_marked_pile_is_drawn_with_the_randomness_of_its_card(game: Game) -> None:
    """The first place that they say, among the piles that were free, in the order in which they lie."""
    chosen = 0
    for number in range(40):
        table = deal_table(game, Request(("plunder",), 2, str(number)))
        for name, pile in table.marked_piles.items():
            (mark,) = [effect for effect in game.setup[name] if isinstance(effect, Mark)]
            table.marks[pile].remove(name)
            free = [free.name for free in mark.list_markable_piles(table, table.cards[name])]
            table.marks[pile].append(name)
            if len(table.marked_piles) == 1:
                assert free[RandomSource(str(number), name).randbelow(len(free))] == pile
                chosen += 1
    assert chosen > 10
