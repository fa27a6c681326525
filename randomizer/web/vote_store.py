"""The secret ballots of open votes, which are kept only in the server's memory.

Nothing is written to a file, so no ballot can be read before the end of the vote. If the server stops, the
players have to vote again.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

MAX_VOTES = 1000  # open votes


class Vote(NamedTuple):
    """An open vote on the cards to veto.

    Attributes:
        client: the IP address of the client that sent the first ballot.
        ballots: the slugs of the vetoed cards, by the key of the voter.
    """

    client: str
    ballots: dict[str, Sequence[str]]


class VoteStore:
    """The open votes, by the key of the table. If there are too many, an old one is deleted to make room."""

    def __init__(self) -> None:
        self._votes: dict[str, Vote] = {}  # The oldest vote is first.

    def cast_ballot(self, table_key: str, voter: str, cards: Sequence[str], client: str) -> None:
        """Store a ballot. It replaces the earlier ballot of the same voter, if there is one.

        Args:
            table_key: the key of the table.
            voter: the key of the voter.
            cards: the slugs of the vetoed cards.
            client: the IP address of the voter.
        """
        if table_key not in self._votes:
            self._make_room()
            self._votes[table_key] = Vote(client, {})
        self._votes[table_key].ballots[voter] = cards

    def get_ballots(self, table_key: str) -> dict[str, Sequence[str]]:
        """Return the ballots for a table, by the key of the voter; empty if there is no vote."""
        return self._votes[table_key].ballots if table_key in self._votes else {}

    def end_vote(self, table_key: str) -> None:
        """Delete the vote for a table with all its ballots."""
        self._votes.pop(table_key, None)

    def _make_room(self) -> None:
        """Delete the oldest vote of the client with the most votes if the maximum number is reached."""
        if len(self._votes) < MAX_VOTES:
            return
        ((busiest_client, _),) = Counter(vote.client for vote in self._votes.values()).most_common(1)
        self.end_vote(next(key for key, vote in self._votes.items() if vote.client == busiest_client))
