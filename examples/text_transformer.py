"""A tiny transformer learns Leduc poker from its text alone, by policy gradients.

    python examples/text_transformer.py

It starts from random weights, reads the compact text of `TextEnv` word by word, and answers with
the name of any action; that an illegal answer loses, it has to learn too. The opponent is `random`.
PPO's clipped loss (Schulman et al., 2017) learns from what whole games paid.
"""

from __future__ import annotations

import argparse
import re
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from kitchentable.text import TextEnv

WORD = re.compile(r"[A-Za-z_]+|\d+|[^\s\w]")
WORDS, LONGEST = 2048, 128
"""The size of the vocabulary, into which words are hashed, and the length of a text in words."""
WIDTH, HEADS, LAYERS = 64, 4, 2
GAMES_AT_ONCE, EPOCHS, CLIP = 64, 2, 0.2
ENTROPY, LEARNING_RATE = 0.01, 0.001
TEST_SEED = 1_000_000


def words(text: str) -> list[int]:
    """Return the numbers of the last words of a text; 0 stands for no word."""
    tokens = WORD.findall(text)[-LONGEST:]
    return [1 + zlib.crc32(word.encode()) % (WORDS - 1) for word in tokens]


def as_batch(texts: Sequence[list[int]]) -> Tensor:
    """Return texts as one tensor, filled up with 0; int64, shape (texts, longest + 1)."""
    wide = 1 + max(map(len, texts))  # the policy reads the answer off the first place
    return torch.tensor([[0] + text + [0] * (wide - 1 - len(text)) for text in texts])


class Transformer(nn.Module):
    """Reads words and returns a logit for each action of the game, legal or not."""

    def __init__(self, actions: int) -> None:
        """Draw the weights."""
        super().__init__()
        self.word = nn.Embedding(WORDS, WIDTH)
        self.place = nn.Embedding(LONGEST + 1, WIDTH)
        layer = nn.TransformerEncoderLayer(
            WIDTH, HEADS, 4 * WIDTH, dropout=0.0, batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.head = nn.Linear(WIDTH, actions)

    def forward(self, texts: Tensor) -> Tensor:
        """Return logits; shape (texts, actions)."""
        nothing = texts == 0
        nothing[:, 0] = False
        seen = self.word(texts) + self.place(torch.arange(texts.shape[1]))
        logits: Tensor = self.head(self.layers(seen, src_key_padding_mask=nothing)[:, 0])
        return logits


def environment() -> TextEnv:
    """Return the environment, in which the first unusable answer loses."""
    return TextEnv(
        "leduc_poker", reward="margin", opponents="random", compact=True, rules=False, tries=1
    )


Decision = tuple[list[int], int, float]
"""The words of a text, the number of the answer, and the logarithm of its probability."""


def play(
    model: Transformer, envs: Sequence[TextEnv], seeds: Sequence[int]
) -> Iterator[tuple[list[Decision], float, bool]]:
    """Play a game in each environment; yield decisions, payoff, and whether answers were legal."""
    names = envs[0].table.action_names
    texts = {
        i: words(env.reset(seed)) for i, (env, seed) in enumerate(zip(envs, seeds, strict=True))
    }
    course: list[list[Decision]] = [[] for _ in envs]
    paid = [0.0] * len(envs)
    while texts:
        with torch.no_grad():
            chances = functional.log_softmax(model(as_batch(list(texts.values()))), dim=-1)
        drawn = torch.multinomial(chances.exp(), 1)[:, 0].tolist()
        for k, (i, text) in enumerate(list(texts.items())):
            course[i].append((text, drawn[k], float(chances[k, drawn[k]])))
            observation, reward, ended, stopped, info = envs[i].step(f"[{names[drawn[k]]}]")
            paid[i] += reward
            texts[i] = words(observation)
            if ended or stopped:
                del texts[i]
                yield course[i], paid[i], "illegal" not in info


def improve(
    model: Transformer,
    optimizer: torch.optim.Optimizer,
    decisions: Sequence[Decision],
    returns: Tensor,
) -> None:
    """Learn from decisions and what their games paid; returns has shape (decisions,)."""
    texts = as_batch([text for text, _, _ in decisions])
    answers = torch.tensor([answer for _, answer, _ in decisions])
    before = torch.tensor([chance for _, _, chance in decisions])
    gains = (returns - returns.mean()) / (returns.std() + 1e-6)
    for _ in range(EPOCHS):
        chances = functional.log_softmax(model(texts), dim=-1)
        ratio = (chances.gather(1, answers[:, None])[:, 0] - before).exp()
        gained = torch.minimum(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
        entropy = -(chances.exp() * chances).sum(dim=1).mean()
        optimizer.zero_grad()
        (-gained - ENTROPY * entropy).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def evaluate(model: Transformer, envs: Sequence[TextEnv], games: int) -> str:
    """Say what the model is paid in new games, with a 95% interval, and how many were legal."""
    results = [
        (paid, legal)
        for first in range(TEST_SEED, TEST_SEED + games, len(envs))
        for _, paid, legal in play(model, envs, range(first, first + len(envs)))
    ]
    payoffs, legal = np.array(results, float).T
    half = 1.96 * payoffs.std() / len(payoffs) ** 0.5
    return f"{payoffs.mean():+.2f} ± {half:.2f} reward per game, {legal.mean():.1%} of games legal"


def train(updates: int, *, seed: int = 0, test_games: int = 640) -> Iterator[str]:
    """Learn, and yield what can be said about it."""
    torch.manual_seed(seed)
    envs = [environment() for _ in range(GAMES_AT_ONCE)]
    model = Transformer(len(envs[0].table.action_names))
    optimizer = torch.optim.Adam(model.parameters(), LEARNING_RATE)
    yield f"{sum(parameter.numel() for parameter in model.parameters()):,} parameters"
    yield f"before: {evaluate(model, envs, test_games)}"
    for update in range(1, updates + 1):
        first = seed + update * GAMES_AT_ONCE
        games = list(play(model, envs, range(first, first + GAMES_AT_ONCE)))
        decisions = [decision for course, _, _ in games for decision in course]
        returns = torch.tensor([paid for course, paid, _ in games for _ in course])
        improve(model, optimizer, decisions, returns)
        if update % 10 == 0:
            paid = np.mean([paid for _, paid, _ in games])
            yield f"update {update}: {paid:+.2f} reward per game"
    yield f"after: {evaluate(model, envs, test_games)}"


def main() -> None:
    """Train, and print how it goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(1)
    for line in train(args.updates, seed=args.seed):
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
