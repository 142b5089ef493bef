"""Layers for the sequences in which cards can be laid on each other with open hands, in Add-Too.

The value of a play depends on the reply to it, whose value depends on the next reply, and so on.
These layers pass messages (Gilmer et al., "Neural message passing for quantum chemistry", 2017)
between steps: each step is one card laid on another, and receives messages from all cards that can
follow it. These never include the card below it, which has left its hand; so with two seats a
message never goes back (Yang et al., "Analyzing learned molecular representations for property
prediction", 2019). Nothing is played or searched: all weights are learned.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional

from kitchentable_training.networks.pooling import pool


class ReplySizes(NamedTuple):
    """The sizes of inputs and outputs of `ReplyLayers`."""

    seats: int
    """Seats at the table."""
    hand: int
    """Maximum number of cards in a hand."""
    pair: int
    """Numbers that describe how a card fits on another."""
    slot: int
    """Position in a row of action features where the one-hot card of the hand starts."""
    room: slice
    """Positions of the room that the action leaves."""
    replies: int
    """Position where the replies with each of the next seat's cards start."""
    ways: int
    """Ways in which each card can follow."""
    way: int
    """Numbers for each way. The first is zero if the card cannot follow in this way. Next comes the
    room that it leaves, for each of the ``pair`` numbers."""
    rounds: int
    """Rounds of message passing."""
    units: int = 32
    """Length of a message."""

    @property
    def made(self) -> int:
        """The number of outputs for each row."""
        return 2 * self.units


class ReplyLayers(nn.Module):
    """Message passing from possible replies to rows of action features.

    It is for games with open hands. Their derived part ``pairs`` is an array of shape (seats, hand,
    hand * pair + 1), where seats are counted from the seat to act: the row of a card has ``pair``
    numbers for each card of the next seat, all zero if that card cannot be laid on it, and then 1.
    The names of their action features contain these groups, each contiguous: ``slot_0`` and so on,
    1 for the card that the action is about, else 0; ``room_...``, the room that the action leaves;
    ``reply_0_0_...``, ``reply_0_1_...`` and so on, for each card of the next seat and each way in
    which it could follow. All ways have equally many features: the first is 0 if the card cannot
    follow in this way, and the next ``pair`` are the room that it leaves for each number of a pair.
    """

    def __init__(self, sizes: ReplySizes) -> None:
        super().__init__()
        self.sizes = sizes
        held = 2 * (sizes.hand + 1)
        self.step = nn.Linear(sizes.pair + held, sizes.units)
        self.rounds = nn.ModuleList(
            nn.Linear(2 * sizes.units, sizes.units) for _ in range(sizes.rounds)
        )
        self.reply = nn.Linear(sizes.way + sizes.ways + held, sizes.units)
        self.fit = nn.Linear(sizes.pair, sizes.units, bias=False)
        self.room = nn.Linear(sizes.room.stop - sizes.room.start, sizes.units, bias=False)
        self.answers = nn.Linear(2 * sizes.units, sizes.units)

    def forward(
        self, follow: torch.Tensor, rows: torch.Tensor, games: torch.Tensor
    ) -> torch.Tensor:
        """Return the maximum and the sum of the messages of all replies to each row.

        Args:
            follow: how cards fit on each other, the game's derived part ``pairs``, flat; shape
                (batch, size).
            rows: rows of action features; shape (rows, length).
            games: the index in the batch of each row's game; shape (rows,).

        Returns:
            Shape (rows, ``sizes.made``).
        """
        # The layers are too small to benefit from bfloat16, whose kernels are made for each shape.
        with torch.autocast(follow.device.type, enabled=False):
            return self._follow(follow, rows, games).to(rows.dtype)

    def _follow(
        self, follow: torch.Tensor, rows: torch.Tensor, games: torch.Tensor
    ) -> torch.Tensor:
        sizes = self.sizes
        table = follow.float().view(-1, sizes.seats, sizes.hand, sizes.hand * sizes.pair + 1)
        fits = table[..., :-1].reshape(*table.shape[:3], sizes.hand, sizes.pair)
        counts = table[..., -1].sum(dim=2).long()
        hand_sizes = functional.one_hot(counts, sizes.hand + 1).float()
        steps = _Steps(fits.any(dim=4))
        game, seat, under, card = steps.places
        fit = fits[game, seat, under, card]
        base = self.step(torch.cat([fit, self._held(hand_sizes, game, seat + 1)], dim=1))
        messages = base.relu()
        to, number = steps.after(game, seat + 1, card, under)
        for layer in self.rounds:
            messages = (base + layer(pool(messages, to, len(base), number))).relu()

        replies = rows[:, sizes.replies : sizes.replies + sizes.hand * sizes.ways * sizes.way]
        replies = replies.float().view(len(rows), sizes.hand, sizes.ways, sizes.way)
        row, reply, way = replies[..., 0].nonzero().unbind(1)
        features = replies[row, reply, way]
        game, next_seat = games[row], torch.ones_like(row)
        played = rows[:, sizes.slot : sizes.slot + sizes.hand].argmax(dim=1)[row]
        to, number = steps.after(game, next_seat, reply, played)
        # A card can be laid on the reply in those ways for which the reply leaves room.
        fits_there = fit[number] * features[to, 1 : 1 + sizes.pair]
        heard = (messages.index_select(0, number) + self.fit(fits_there)).relu()
        answers = self.answers(pool(heard, to, len(row)))
        ways = functional.one_hot(way, sizes.ways)
        features = torch.cat([features, ways, self._held(hand_sizes, game, next_seat)], dim=1)
        room = self.room(rows[:, sizes.room].float())[row]
        return pool((self.reply(features) + room + answers).relu(), row, len(rows))

    def _held(
        self, hand_sizes: torch.Tensor, game: torch.Tensor, first: torch.Tensor
    ) -> torch.Tensor:
        """Return one-hot hand sizes of a seat and the next one; (len(game), 2 * (hand + 1))."""
        seats = torch.arange(2, device=game.device)
        return hand_sizes[game[:, None], (first[:, None] + seats) % self.sizes.seats].flatten(1)


class _Steps:
    """All steps of a batch, each a card laid on another, and the steps that can follow them."""

    def __init__(self, fits: torch.Tensor) -> None:
        """Number the steps where a card fits on another, (batch, seats, hand, hand)."""
        self.seats = fits.shape[1]
        self.places = fits.nonzero().unbind(1)
        """The game, the seat of the lower card, that card, and the next seat's card on it."""
        self.count = len(self.places[0])
        self.numbers = torch.full(fits.shape, self.count, device=fits.device)
        self.numbers[self.places] = torch.arange(self.count, device=fits.device)

    def after(
        self, game: torch.Tensor, seat: torch.Tensor, card: torch.Tensor, under: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the steps that lay a card on ``card``, which ``seat`` has laid on ``under``.

        Returns:
            For each such step, the index of its receiver in the arguments, and its number; int64.
        """
        numbers = self.numbers[game, seat % self.seats, card]
        if self.seats == 2:  # the next seat has laid the card below, which has left its hand
            numbers.scatter_(1, under[:, None], self.count)
        before, place = (numbers < self.count).nonzero().unbind(1)
        return before, numbers[before, place]
