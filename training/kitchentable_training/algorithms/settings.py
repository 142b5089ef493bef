"""Settings of the algorithms: of each one its group ``training``, and of the league."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field, PositiveInt, ValidationError

from kitchentable import Game
from kitchentable.core.parameters import one_line_repr
from kitchentable_training.settings import Outputs, Settings, Share, Weight, errors_in


class OpponentSettings(Settings):
    """Settings of the league, from which the player of each other seat is drawn by weight.

    In a cooperative game these are teammates, and one player is drawn for all other seats
    together. See `league.OpponentPool`.
    """

    scripted: dict[str, Weight] = Field(default_factory=dict)
    """Weights of scripted players by name. A game for one player has no opponents: ``{}``, and
    leave the other weights at 0."""
    trained: dict[str, Weight] = Field(default_factory=dict)
    """Weights of other players: checkpoints and runs by folder or name, own players by place, as in
    ``my_player.py:careful``, and searches."""
    past_selves: Weight = 0.0
    """The weight of all past selves together, once there are any."""
    past_every: PositiveInt = 1_000_000
    """The number of learner steps between past selves."""
    past_kept: PositiveInt = 8
    """The maximum number of past selves; the oldest one is dropped."""

    @classmethod
    def of(cls, game: Game, weights: Mapping[str, float]) -> OpponentSettings:
        """Return a league of scripted and trained players by their names.

        Args:
            game: the game with the scripted players.
            weights: weights by name; names other than scripted players' are those of ``trained``.

        Raises:
            ValueError: these are no weights.
        """
        if not isinstance(weights, Mapping):
            raise ValueError(
                f"opponents={one_line_repr(weights)} is not possible; give weights by name, such "
                'as {"greedy": 1}'
            )
        scripted = {
            name: weight for name, weight in weights.items() if name in game.players.scripted
        }
        trained = {name: weight for name, weight in weights.items() if name not in scripted}
        try:
            return cls(scripted=scripted, trained=trained)
        except ValidationError as error:
            lines = "; ".join(errors_in(error, cls))
            raise ValueError(f"opponents: {lines}") from None


class TrainingSettings(Settings):
    """The settings of an algorithm, and what a run must know of it.

    Those of your own algorithm are a class derived from this one, its attribute
    ``Settings``; see `registry`.

    Attributes:
        outputs: what the network's outputs are. Past selves sample from logits, and play the action
            with the highest value; other trained players play their most probable action.
        data_parallel: whether several processes may learn together, see `processes`.
    """

    outputs: ClassVar[Outputs] = "logits"
    data_parallel: ClassVar[bool] = False

    @property
    def games_on_gpu(self) -> bool:
        """Whether the games can be played on a GPU if the network sees only observations."""
        return False

    def value_until(self, episode: str) -> str | None:
        """Return the end of what the network's value predicts: ``"game"`` or ``"hand"``.

        Args:
            episode: the setting ``episode``.

        Returns:
            None if it is not what is paid until one of these.
        """
        return episode

    def check(self, run: Any, game: Game, params: Any) -> None:
        """Check that the other settings of a run fit.

        Args:
            run: the `RunSettings`; this is the group ``training``.
            game: the game.
            params: its parameters, made by ``game.make_params``.

        Raises:
            ValueError: they do not; names the setting.
        """
        del game, params  # for algorithms that have more to check
        if run.network.tables and run.algorithm != "ppo":
            raise ValueError("network.tables: only algorithm: ppo learns at several tables")
        if self.outputs == "logits":
            return
        if run.behavior_cloning is not None:
            raise ValueError(
                f"behavior_cloning: algorithm: {run.algorithm} learns values, no policy; set "
                "behavior_cloning to null"
            )
        scored = run.network.action_features and run.network.module is None
        if scored and not run.network.best_row:
            raise ValueError(
                "network.best_row: an action is worth what its best row is, which algorithm: "
                f"{run.algorithm} learns; set it to true"
            )


class BatchSettings(TrainingSettings):
    """Settings of algorithms that play a batch of games between updates.

    A setting with a ``final_`` value changes linearly to that value during the run; null: it stays
    constant.
    """

    n_steps: PositiveInt = 64
    """Steps of each game between updates."""

    @property
    def why_no_league(self) -> str:
        """Why players of the league are at none of the tables; "" if they are."""
        return ""

    def check(self, run: Any, game: Game, params: Any) -> None:
        """Check that the other settings of a run fit; see the base class."""
        super().check(run, game, params)
        others = run.opponents
        invited = any(others.scripted.values()) or any(others.trained.values())
        why = "a game for one seat has none" if params.num_players == 1 else self.why_no_league
        if not why and not invited:
            raise ValueError("opponents: give at least one of scripted or trained a weight above 0")
        if why and (invited or others.past_selves):
            raise ValueError(
                f"opponents: {why}; set scripted and trained to {{}}, past_selves to 0"
            )


class RolloutSettings(BatchSettings):
    """Settings of algorithms that learn from rollouts, in epochs of minibatches."""

    batch_size: PositiveInt = 4096
    """Decisions of a minibatch."""
    n_epochs: PositiveInt = 2
    """How often each decision is learned from."""
    learning_rate: Annotated[float, Field(gt=0)] = 0.0005
    """The step size of Adam."""
    final_learning_rate: Annotated[float, Field(ge=0)] = 0.00001
    """The learning rate at the end."""
    gamma: Share = 1.0
    """The discount factor of a decision."""
    gae_lambda: Share = 0.7
    """The factor with which later decisions of the seat count in an estimate, from decision to
    decision: 1 counts only what is paid. The seats of a team count as one."""
    vf_coef: Weight = 0.5
    """The weight of the error of the values."""
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    """The maximum norm of a gradient; a large number, as in 1e9, turns clipping off."""

    def value_until(self, episode: str) -> str | None:
        """Return the end of what the network's value predicts; see the base class."""
        return episode if self.gamma == 1 else None  # what is paid later counts less

    def check(self, run: Any, game: Game, params: Any) -> None:
        """Check that the other settings of a run fit; see the base class."""
        super().check(run, game, params)
        tables = max(1, len(run.network.tables))
        if run.num_envs % tables:
            raise ValueError(f"num_envs={run.num_envs} is no multiple of the {tables} tables")
        size = run.num_envs // tables * self.n_steps
        if size % self.batch_size:
            per_table = " / tables" if tables > 1 else ""
            divisor = max(n for n in range(1, self.batch_size + 1) if size % n == 0)
            raise ValueError(
                f"training.batch_size={self.batch_size} does not divide num_envs{per_table} x "
                f"n_steps = {size}; {divisor} does"
            )


class PolicyGradientSettings(RolloutSettings):
    """Settings of proximal policy optimization, named as in sb3-contrib's MaskablePPO."""

    clip_range: Annotated[float, Field(gt=0)] = 0.2
    """How far the ratio of an action's new probability to its old one counts, around 1."""
    ent_coef: Weight = 0.0
    """The weight of the entropy of the policy."""
    final_ent_coef: Weight | None = None
    """This weight at the end, to which it changes linearly; null: it stays the same."""


class SB3PPOSettings(PolicyGradientSettings):
    """Settings of MaskablePPO of sb3-contrib; see `sb3`. The league plays at all tables."""


class SelfPlaySettings(RolloutSettings):
    """Settings of algorithms in which one network plays all seats."""

    data_parallel: ClassVar[bool] = True

    league: Share = 0.0
    """The share of the tables at which the learner plays one seat and ``opponents`` the others."""
    bfloat16: bool = False
    """Whether layers multiply in bfloat16, including those of networks in the other seats (Kalamkar
    et al., 2019). Some processors do this several times faster. Processors without bfloat16 use
    float32."""

    @property
    def why_no_league(self) -> str:
        """Why players of the league are at none of the tables; see the base class."""
        return "" if self.league else "training.league is 0"

    @property
    def games_on_gpu(self) -> bool:
        """Whether the games can be played on a GPU if the network sees only observations."""
        return True


class PPOSettings(PolicyGradientSettings, SelfPlaySettings):
    """Settings of proximal policy optimization by self-play; see `ppo`."""

    magnet_coef: Weight = 0.0
    """The weight of the divergence from the magnet, a moving average of the policy, which prevents
    cycles in self-play (Sokota et al., 2023)."""
    lookahead: Annotated[int, Field(ge=0)] = 0
    """The number of deals on which every legal action is tried one decision ahead, for one or two
    seats or a team; see `lookahead`. If it is not 0, the magnet is computed from the resulting
    values instead of an average of the policy, and replaces the advantages."""
    full_state_critic: bool = False
    """Whether advantages use a critic that sees the full state, hidden cards included (Yu and
    others, 2022). It has the layers of the policy and does not act."""
    duplicates: Annotated[int, Field(ge=0)] = 0
    """The number of copies of each table, which play the same deal from the beginning of every
    rollout. If it is not 0, advantages use a critic that receives the payoffs of the same deal at
    the other copies (Kool, van Hoof and Welling, 2019). It has the layers of the policy and does
    not act."""
    normalize_advantage: bool = False
    """Whether the advantages of a minibatch are scaled to mean 0 and standard deviation 1."""
    shaping: bool = False
    """Whether a team receives potential-based shaping rewards, which are taken back at the end (Ng,
    Harada and Russell, 1999): `Players.team_potential`."""

    @property
    def games_on_gpu(self) -> bool:
        """Whether the games can be played on a GPU if the network sees only observations."""
        return not (self.lookahead or self.shaping)

    def value_until(self, episode: str) -> str | None:
        """Return the end of what the network's value predicts; see the base class."""
        # With shaping it lacks what was paid in advance.
        return None if self.shaping else super().value_until(episode)

    def check(self, run: Any, game: Game, params: Any) -> None:
        """Check that the other settings of a run fit; see the base class."""
        for name in ("league", "shaping") if run.network.tables else ():
            if getattr(self, name):
                raise ValueError(f"training.{name}: it is for one table; leave out network.tables")
        if self.full_state_critic and game.rules.observe_state is None:
            raise ValueError(f"training.full_state_critic: {game.name} has no full state")
        multiple = (self.duplicates + 1) * max(1, len(run.network.tables))
        if self.duplicates and run.num_envs % multiple:
            raise ValueError(
                f"training.duplicates={self.duplicates}: num_envs={run.num_envs} is no multiple of "
                f"{multiple}"
            )
        if self.duplicates and self.league:
            raise ValueError(
                "training.duplicates: the same players must sit at all copies; set "
                "training.league to 0"
            )
        if self.shaping and not (game.is_team(params) and game.players.team_potential):
            why = "only for a team" if game.players.team_potential else f"{game.name} has none"
            raise ValueError(f"training.shaping: {why}; set it to false")
        if self.shaping and self.gamma != 1:
            raise ValueError("training.shaping: set training.gamma to 1")
        if self.lookahead:
            self._check_lookahead(game, params)
        super().check(run, game, params)

    def _check_lookahead(self, game: Game, params: Any) -> None:
        if params.num_players > 2 and not game.is_team(params):
            raise ValueError("training.lookahead: only for one or two seats, or for a team")
        if not self.magnet_coef:
            raise ValueError("training.lookahead: set training.magnet_coef, which weights it")
        for name, required in (("league", 0), ("shaping", False), ("gamma", 1)):
            if getattr(self, name) != required:
                raise ValueError(
                    f"training.lookahead: set training.{name} to {json.dumps(required)}"
                )


class MMDSettings(SelfPlaySettings):
    """Settings of magnetic mirror descent; see `mmd`."""

    alpha: Weight = 0.02
    """The weight of the divergence from the uniform policy, at the end of the run."""
    step_size: Annotated[float, Field(gt=0)] = 50.0
    """The step size eta: its inverse is the weight of the divergence from the policy that played
    the rollout, at the end of the run."""
    normalize_advantage: bool = False
    """Whether the advantages of a minibatch are scaled to mean 0 and standard deviation 1."""


class RNaDSettings(SelfPlaySettings):
    """Settings of regularized Nash dynamics; see `rnad`."""

    eta: Weight = 0.2
    """The weight of the log ratio of the policy to the regularization policy in the rewards."""
    delta_m: PositiveInt = 100_000
    """The number of decisions after which the policy becomes the regularization policy."""
    polyak: Annotated[float, Field(gt=0, le=1)] = 0.1
    """The share with which the target network, which is what is played in the end, follows the
    network after each update."""
    neurd_threshold: Annotated[float, Field(gt=0)] = 2.0
    """The threshold beta of NeuRD: a logit, relative to the mean of the legal ones, is not pushed
    beyond it on either side."""

    def value_until(self, episode: str) -> str | None:
        """Return the end of what the network's value predicts; see the base class."""
        # Otherwise it includes what is paid for leaving the regularization policy.
        return None if self.eta else super().value_until(episode)


class DMCSettings(SelfPlaySettings):
    """Settings of deep Monte Carlo; see `dmc`."""

    outputs: ClassVar[Outputs] = "action_values"

    epsilon: Share = 0.1
    """The probability of a random action at the beginning."""
    final_epsilon: Share = 0.02
    """The probability at the end; it changes linearly."""


class NFSPSettings(BatchSettings):
    """Settings of neural fictitious self-play; see `nfsp`."""

    n_steps: PositiveInt = 4
    """Steps of each game between updates."""
    batch_size: PositiveInt = 256
    """Decisions of a minibatch."""
    replays: Annotated[float, Field(gt=0)] = 4.0
    """How many times each decision is used, on average: it sets the number of minibatches."""
    learning_rate: Annotated[float, Field(gt=0)] = 0.003
    """The step size of Adam, for the best response."""
    final_learning_rate: Annotated[float, Field(ge=0)] = 0.0001
    """The learning rate at the end."""
    average_learning_rate: Annotated[float, Field(gt=0)] = 0.001
    """The step size for the average policy, which decreases in proportion to the learning rate."""
    gamma: Share = 1.0
    """The discount factor of a decision."""
    max_grad_norm: Annotated[float, Field(gt=0)] = 1.0
    """The maximum norm of a gradient; a large number, as in 1e9, turns clipping off."""
    anticipatory: Share = 0.1
    """The probability eta that a seat plays the best response in an episode."""
    epsilon: Share = 0.06
    """The probability that the best response plays a random action, at the beginning."""
    final_epsilon: Share = 0.0
    """The probability at the end; it changes linearly."""
    replay_size: PositiveInt = 50_000
    """The number of decisions in the circular buffer, in whole rollouts: at least one."""
    reservoir_size: PositiveInt = 200_000
    """The number of decisions in the reservoir."""
    target_every: PositiveInt = 300
    """The number of minibatches after which the target network is replaced."""

    @property
    def why_no_league(self) -> str:
        """Why players of the league are at none of the tables."""
        return "algorithm: nfsp learns in self-play only"

    def value_until(self, episode: str) -> str | None:
        """Return the end of what the network's value predicts; see the base class."""
        del episode  # the average policy learns no value
        return None

    def check(self, run: Any, game: Game, params: Any) -> None:
        """Check that the other settings of a run fit; see the base class."""
        super().check(run, game, params)
        rollout = run.num_envs * self.n_steps
        if self.replay_size < rollout:
            raise ValueError(
                f"training.replay_size={self.replay_size} is less than a rollout, num_envs x "
                f"n_steps = {rollout}"
            )


class PSROSettings(PolicyGradientSettings):
    """Settings of policy-space response oracles, whose oracle is `ppo`; see `psro`.

    What changes during a run changes during each response.
    """

    n_steps: PositiveInt = 8
    """Steps of each game between updates."""
    batch_size: PositiveInt = 1024
    """Decisions of a minibatch."""
    n_epochs: PositiveInt = 4
    """How often each decision is learned from."""
    learning_rate: Annotated[float, Field(gt=0)] = 0.005
    """The step size of Adam."""
    final_learning_rate: Annotated[float, Field(ge=0)] = 0.0005
    """The learning rate at the end."""
    ent_coef: Weight = 0.05
    """The weight of the entropy of the policy."""
    final_ent_coef: Weight | None = 0.01
    """This weight at the end, to which it changes linearly; null: it stays the same."""
    responses: Annotated[int, Field(ge=1, le=999)] = 20
    """The number of best responses, which have equal shares of the decisions."""
    payoff_share: Annotated[float, Field(gt=0, lt=1)] = 0.2
    """The share of the decisions that measures the payoffs between members of the population."""

    @property
    def why_no_league(self) -> str:
        """Why players of the league are at none of the tables."""
        return "the other players of algorithm: psro are its own population"

    def value_until(self, episode: str) -> str | None:
        """Return the end of what the network's value predicts; see the base class."""
        del episode  # each member predicts what it is paid against another mixture
        return None

    def check(self, run: Any, game: Game, params: Any) -> None:
        """Check that the other settings of a run fit; see the base class."""
        super().check(run, game, params)
        for name in ("start", "behavior_cloning"):
            if getattr(run, name) is not None:
                raise ValueError(
                    f"{name}: the population of algorithm: psro begins with random weights; set "
                    f"{name} to null"
                )
