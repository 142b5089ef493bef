"""The example that learns from text: answers that paid become more probable."""

import re

import torch
from examples import text_transformer as example
from torch.nn import functional


def test_a_paid_answer_becomes_more_probable():
    torch.manual_seed(1)
    env = example.environment()
    text = example.words(env.reset(seed=1))
    model = example.Transformer(len(env.table.action_names))

    def chances():
        with torch.no_grad():
            return functional.log_softmax(model(example.as_batch([text])), dim=-1)[0]

    before = chances()
    optimizer = torch.optim.Adam(model.parameters(), example.LEARNING_RATE)
    decisions = [(text, answer, float(before[answer])) for answer in range(3)]
    example.improve(model, optimizer, decisions, torch.tensor([0.0, 1.0, 0.0]))
    assert chances()[1] > before[1]


def test_the_whole_example_runs(monkeypatch):
    monkeypatch.setattr(example, "GAMES_AT_ONCE", 4)
    told = list(example.train(1, test_games=8))
    assert re.fullmatch(r"[\d,]+ parameters", told[0])
    assert [line.partition(":")[0] for line in told[1:]] == ["before", "after"]
    assert len(example.words("a long text " * 200)) == example.LONGEST
