"""The network in torch; ``learned.weights.Network`` describes its shape."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from scrapy_cetr.extraction.methods.learned.features import NAMES, PAGE_NAMES
from scrapy_cetr.extraction.methods.learned.network import DISTANCES

FEATURES = len(NAMES) + len(PAGE_NAMES)
INPUT_DROPOUT, CHANNEL_DROPOUT = 0.1, 0.12


class Net(nn.Module):
    """The network, with an output for each style and one that all styles share."""

    def __init__(self, *, styles: int, hidden_units: int, channels: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(FEATURES, hidden_units)
        self.projection = nn.Linear(hidden_units, channels)
        self.convolutions = nn.ModuleList(nn.Linear(3 * channels, channels) for _ in DISTANCES)
        self.pooling = nn.ModuleList(
            nn.Linear(2 * channels, channels, bias=False) for _ in DISTANCES
        )
        self.styles = nn.ModuleList(
            nn.Embedding(styles, channels) for _ in range(len(DISTANCES) + 1)
        )
        self.output = nn.Linear(channels, styles + 1)
        self.input_dropout = nn.Dropout(INPUT_DROPOUT)
        self.channel_dropout = nn.Dropout(CHANNEL_DROPOUT)
        for style in self.styles.parameters():
            nn.init.zeros_(style)

    def forward(self, rows: Tensor, mask: Tensor, style: Tensor) -> Tensor:
        """Return the log-odds of rows: pages × rows.

        ``rows`` is pages × rows × features. ``mask``, pages × rows, is one for rows and zero for
        padding. ``style`` has the index of each page's style.
        """
        is_row = mask.unsqueeze(2)
        count = is_row.sum(1).clamp(min=1)
        if self.training:
            # A feature is dropped from all rows of a page at once.
            rows = rows * self.input_dropout(torch.ones(len(rows), 1, rows.shape[2]))
        hidden = torch.relu(self.hidden(rows))
        state = self.projection(hidden) + self.styles[0](style)[:, None]
        state = torch.relu(state) * is_row
        for layer, distance in enumerate(DISTANCES):
            size = state.shape[1]
            padded = functional.pad(state, (0, 0, distance, distance))
            neighbors = torch.cat((padded[:, :size], state, padded[:, 2 * distance :]), 2)
            pooled = torch.cat((state.sum(1) / count, state.amax(1)), 1)
            bias = self.pooling[layer](pooled) + self.styles[layer + 1](style)
            change = torch.relu(self.convolutions[layer](neighbors) + bias[:, None])
            state = (state + self.channel_dropout(change)) * is_row
        scores = self.output(state)
        own = scores.gather(2, style[:, None, None].expand(-1, scores.shape[1], 1)).squeeze(2)
        log_odds: Tensor = own + scores[:, :, -1]
        return log_odds
