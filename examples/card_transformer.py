"""A transformer over cards, as your own network for any game.

    kitchentable train examples/card_transformer.yaml
    kitchentable evaluate runs/card_transformer \
        --module examples/card_transformer.py:CardTransformer

A token is a kind of card. It says how many cards of that kind are in each place where the
observation counts them: on every place of a board, in the hand, on the discard pile, unseen. One
more token holds the rest of the observation. Attention compares kinds (Vaswani et al.,
"Attention is all you need", 2017), and the same layers serve all of them.
"""

from __future__ import annotations

import torch
from torch import nn

from kitchentable.core.state import slices
from kitchentable_training.networks.inputs import Inputs, NetworkInputs


class CardTransformer(nn.Module):
    """Attention between kinds of card; policy and value read the token of the rest."""

    cards: torch.Tensor
    others: torch.Tensor

    def __init__(
        self, inputs: NetworkInputs, *, width: int = 32, heads: int = 4, layers: int = 2
    ) -> None:
        """Create the layers.

        Args:
            inputs: what the network is shown: the observation is enough.
            width: the numbers of a token.
            heads: the heads of each attention, which divide the width.
            layers: the layers of the encoder.
        """
        super().__init__()
        rules = inputs.game.rules
        kinds, layout = len(rules.deck(inputs.params)), rules.observation_layout(inputs.params)
        parts = [part for name, part in slices(layout).items() if name in rules.card_parts]
        # A card part is one or more vectors, one after the other, with a number for each kind.
        cards = torch.cat([torch.arange(part.start, part.stop) for part in parts])
        others = torch.ones(sum(layout.values()), dtype=torch.bool)
        others[cards] = False
        self.register_buffer("cards", cards.view(-1, kinds), persistent=False)
        self.register_buffer("others", others, persistent=False)
        self.counts = nn.Linear(len(self.cards), width)
        self.kinds = nn.Parameter(torch.randn(kinds, width) / width**0.5)
        self.rest = nn.Linear(int(others.sum()), width)
        layer = nn.TransformerEncoderLayer(
            width, heads, 2 * width, dropout=0.0, batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.policy = nn.Linear(width, inputs.num_actions)
        self.value = nn.Linear(width, 1)

    def forward(self, inputs: Inputs) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits, (batch, num_actions), and values, (batch,)."""
        observation = inputs["observation"]
        counted = observation[:, self.cards].transpose(1, 2)  # (batch, kinds, vectors)
        tokens = self.counts(counted) + self.kinds
        rest = self.rest(observation[:, self.others])
        read = self.encoder(torch.cat([rest[:, None], tokens], dim=1))[:, 0]
        return self.policy(read), self.value(read)[:, 0]
