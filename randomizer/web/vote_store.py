"""The secret ballots of vetoes that are open, in the memory of the server.

Nothing is written to a file, so no ballot can be read before the end of the vote. If the server stops, the
players vote again.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

MAX_VOTES = 1000


class Vote(NamedTuple):
    """An open vote.

    Attributes:
        client: the IP address of the client that sent the first ballot.
        ballots: the slugs of the vetoed cards, by the key of the voter.
    """

    client: str
    ballots: dict[str, Sequence[str]]


class VoteStore:
    """The open votes, by the key of the table. If there are too many, a vote is deleted to make room."""

    def __init__(self) -> None:
        self._votes: dict[str, Vote] = {}  # The oldest vote is first.

    def cast_ballot(self, table: str, voter: str, cards: Sequence[str], client: str) -> None:
        """Store a ballot, which replaces an earlier one of the same voter.

        Args:
            table: the key of the table.
            voter: the key of the voter.
            cards: the slugs of the vetoed cards.
            client: the IP address of the voter.
        """
        if table not in self._votes:
            self._make_room()
            self._votes[table] = Vote(client, {})
        self._votes[table].ballots[voter] = cards

    def get_ballots(self, table: str) -> dict[str, Sequence[str]]:
        """Return the ballots for a table, by the key of the voter."""
        return self._votes[table].ballots if table in self._votes else {}

    def end(self, table: str) -> None:
        """Delete the ballots for a table."""
        self._votes.pop(table, None)

    def _make_room(self) -> None:
        """Delete the oldest vote of the client with the most votes if the maximum number is reached."""
        if len(self._votes) < MAX_VOTES:
            return
        ((busiest, _),) = Counter(vote.client for vote in self._votes.values()).most_common(1)
        self.end(next(table for table, vote in self._votes.items() if vote.client == busiest))
