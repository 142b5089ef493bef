"""An environment of text: observations for language models, and steps by their answers."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.seat_tables import Opponents, make_opponents, seed_players
from kitchentable.core.copying import Copied
from kitchentable.core.parameters import is_whole, one_line_repr
from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import GAME_0
from kitchentable.engine.games import check_flag
from kitchentable.players.search import SearchPlayer
from kitchentable.render.phrases import listed
from kitchentable.render.view import AnyView
from kitchentable.text.answers import help_with, read_answer
from kitchentable.text.prompts import PromptWriter

ALL = "all"
Step = tuple[str, float, bool, bool, dict[str, Any]]
"""What `TextEnv.step` returns."""


class TextEnv(Copied):
    """A table as text: every step is a language model's answer for one seat, or for all.

    The first observation of a seat begins with the rules. Every observation says what has happened
    since the seat's last turn, what it knows of the table, and what its legal actions do; each
    stands on its own. An answer names an action (`read_answer`). One that names no legal action is
    followed by a sentence of help, and the last of ``tries`` such answers to a decision ends the
    game with the penalty of `TableEnv.forfeit`.

    The same seed deals the same game as in `TableEnv` and `SeatEnv`, and the same answers lead to
    the same texts. Rewards are those of `SeatEnv`: what is paid to a seat while others move is
    returned with its next step, and at the end ``info["payoffs"]`` has all that each seat was paid.

    Attributes:
        table: the table, for names, transcript and pictures; only `step` may play in it.
        seat: the seat whose observation was returned last, and whose answer is next.
        tries_left: the number of answers that are left to this decision.
    """

    def __init__(
        self,
        game: str,
        *,
        seat: int | str | None = None,
        opponents: Opponents = None,
        tries: int = 3,
        compact: bool = False,
        rules: bool = True,
        shaping: int = 0,
        **params: Any,
    ) -> None:
        """Create the environment; `reset` deals the first game.

        Args:
            game: the game's name.
            seat: the seat to play; ``"all"``: every seat, for self-play; None: a random one in each
                game.
            opponents: the players of the other seats, as in `SeatEnv`.
            tries: the number of answers to a decision, of which the last one must be usable.
            compact: whether to leave out what is not needed to play: sentences about the situation,
                and what the actions do.
            rules: whether the first observation of a seat begins with the rules.
            shaping: the number of simulated games per decision for the shaping of rewards, or 0. A
                step then adds the difference between two estimates of what the seat will be paid:
                at its next decision (0 at the end) and at this one. The estimate is that of a
                `SearchPlayer` whose simulated games the strongest scripted player plays. The sum of
                a game changes by the estimate at its first decision alone (Ng, Harada and Russell,
                "Policy invariance under reward transformations", 1999).
            params: the game's parameters, see its page.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
            NotImplementedError: ``shaping`` of a game that has no ``redeal``.
        """
        self.table = TableEnv(game, **params)
        self.seat, self.tries_left = 0, tries
        self._check_seat(seat, ALL, None)
        for name, value, least in (("tries", tries, 1), ("shaping", shaping, 0)):
            if not is_whole(value) or value < least:
                raise ValueError(
                    f"{name}={one_line_repr(value)} is not possible; choose {least} or more"
                )
        check_flag("compact", compact)
        check_flag("rules", rules)
        if shaping and seat == ALL:
            raise ValueError("shaping: rewards are shaped for one seat; leave it out for self-play")
        if opponents is not None and seat == ALL:
            raise ValueError("opponents: there are none with seat='all'; leave them out")
        self._asked, self._tries, self._rules = seat, tries, rules
        count = 0 if seat == ALL else len(self.table.possible_agents) - 1
        self._opponents = make_opponents(self.table.game, opponents, count)
        self._prompts = PromptWriter(self.table.game, self.table.params, compact=compact)
        self._search = SearchPlayer(self.table.game, rollouts=shaping) if shaping else None
        self._rng = np.random.default_rng()
        self._playing = False
        self._is_new: list[bool] = []  # by seat: whether it has seen nothing of the game

    def reset(self, seed: SupportsIndex | None = None) -> str:
        """Deal a new game, play up to the first decision, and return its observation.

        Args:
            seed: the seed of this game and the following ones, a whole number from 0 on; None
                continues the random streams.

        Raises:
            ValueError: the seed is invalid.
        """
        self.table.reset(seed=seed)
        # A player among the opponents may read what has happened, see `RecordedBatch`.
        vars(self.table.batch)["moves"] = [self.table.transcript]
        if seed is not None:
            self._seed(int(seed))
        seats = len(self.table.possible_agents)
        drawn = self._rng.integers(seats) if self._asked is None else self._asked
        self._one = None if drawn == ALL else int(drawn)
        self._payoffs, self._owed = np.zeros(seats), np.zeros(seats)
        self._is_new = [True] * seats
        self._offender, self._value, self._playing = NOBODY, 0.0, False
        self._go_on()
        self._playing = True
        return self._tell()

    def _seed(self, seed: int) -> None:
        """Seed the choice of the seat and the other players as `SeatEnv` does, and the search."""
        self._rng = np.random.default_rng(seed)
        seed_players(self._opponents, seed)
        if self._search is not None:
            self._search.seed(seed)

    def step(self, answer: str) -> Step:
        """Play the action that an answer names, then the others, up to the next decision.

        Args:
            answer: the language model's answer. If the game was over before the seat's first
                decision, any answer ends it.

        Returns:
            The observation of the seat to answer next, `seat`; the reward of the seat that has
            answered; whether the game is over; whether it was stopped at a limit; and an info.
            There ``seat`` is the seat that has answered, ``action`` the action that was played or
            None, ``tries_left`` the number of answers that are left to the decision. At the end
            ``payoffs`` has a list by seat, ``score``, ``rank``, ``hand_scores`` and ``is_winner``
            are those of the seat that has answered, and ``illegal`` is True if it has lost by its
            answers.

        Raises:
            RuntimeError: the game is over, or none has been dealt yet.
            ValueError: the answer is no text.
        """
        if not self._playing:
            raise RuntimeError("no game is being played; call reset() first")
        if not isinstance(answer, str):
            raise ValueError(f"an answer is a text, not {one_line_repr(answer)}")
        seat, legal = self.seat, self.table.legal_actions()
        chosen = read_answer(answer, self.table.action_names)
        if chosen not in legal and self.tries_left > 1 and not self.table.is_over:
            self.tries_left -= 1
            info: dict[str, Any] = {"seat": seat, "action": None, "tries_left": self.tries_left}
            return help_with(chosen, legal), 0.0, False, False, info
        action, before = chosen if chosen in legal else None, self._value
        self._playing = False  # also if a player fails
        self._decide(action, chosen or "no action")
        self._go_on()
        reward, self._owed[seat] = float(self._owed[seat]), 0.0
        if self._search is not None:
            reward += self._value - before
        info = {"seat": seat, "action": action, "tries_left": self.tries_left}
        truncated = any(self.table.truncations.values())
        self._playing = not self.table.is_over
        if self.table.is_over:
            info |= self._ending(seat)
        return self._tell(), reward, self.table.is_over and not truncated, truncated, info

    def _decide(self, action: str | None, unusable: str) -> None:
        """Play an action for the seat; if there is none, end the game by what cannot be played."""
        if self.table.is_over:
            return
        if action is None:
            self.table.forfeit(unusable)
            self._offender = self.seat
        else:
            self.table.step(self.table.action_names.index(action))
        self._collect()

    def _go_on(self) -> None:
        """Let the opponents play up to the next decision, and find its seat and its value."""
        table = self.table
        while not table.is_over and self._one not in (None, table.mover):
            left = (table.mover - self._one) % len(table.possible_agents)
            table.step(int(self._opponents[left - 1].act(table.batch, GAME_0)[0]))
            self._collect()
        self.tries_left = self._tries
        if self._one is not None:
            self.seat = self._one
        elif not table.is_over:
            self.seat = table.mover
        if self._search is not None:
            self._value = self._estimate(self._search)

    def _estimate(self, search: SearchPlayer) -> float:
        """Return what the seat expects to be paid; a decision without a choice changes nothing."""
        if self.table.is_over:
            return 0.0
        if len(self.table.legal_actions()) > 1:
            search.act(self.table.batch, GAME_0)
            return max(search.values.values())
        return self._value

    def _collect(self) -> None:
        """Note what the last step has paid."""
        paid = list(self.table.rewards.values())
        self._payoffs += paid
        self._owed += paid

    def _ending(self, seat: int) -> dict[str, Any]:
        """Return the info of a game that is over."""
        table_info = self.table.infos[f"player_{seat}"]
        result = {name: table_info[name] for name in ("score", "rank", "hand_scores", "is_winner")}
        illegal = {"illegal": True} if self._offender != NOBODY else {}
        return {"payoffs": self._payoffs.tolist(), **result, **illegal}

    # --- Words ----------------------------------------------------------------------------------

    def observe(self, *, news: bool = True) -> str:
        """Return what the seat knows: what has happened, the table, and its legal actions.

        Args:
            news: whether to tell what has happened since the seat's last turn.
        """
        return self._prompts.table(self._view(), self.table.transcript if news else ())

    def introduce(self, seat: int) -> str:
        """Return what the first observation of a seat begins with: the rules, and its name.

        Raises:
            ValueError: there is no such seat.
        """
        self._check_seat(seat)
        rules = [self._prompts.rules] if self._rules else []
        return "\n\n".join([*rules, self._prompts.who(seat)])

    def situation(self) -> str:
        """Say in a few sentences who decides what, or how the game has ended."""
        return self._view().situation()

    def _check_seat(self, seat: object, *others: object) -> None:
        """Raise `ValueError` unless a seat is one of the table, or one of some other values."""
        last = len(self.table.possible_agents) - 1
        is_other = (seat is None or isinstance(seat, str)) and seat in others
        if not is_other and (not is_whole(seat) or not 0 <= seat <= last):
            possible = listed([f"0 to {last}", *map(repr, others)], "or")
            raise ValueError(f"seat={one_line_repr(seat)} is not possible; choose from {possible}")

    def _view(self) -> AnyView:
        if not self._is_new:
            raise RuntimeError("no game has been dealt; call reset() first")
        return self._prompts.view(self.table.batch.states[0], self.seat, self._offender)

    def _tell(self) -> str:
        """Return the observation of the seat."""
        first = [self.introduce(self.seat)] if self._is_new[self.seat] else []
        self._is_new[self.seat] = False
        return "\n\n".join([*first, self.observe()])
