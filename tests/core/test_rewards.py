"""What seats are paid, by examples."""

import numpy as np
import pytest

from kitchentable.core.rewards import pay_margins, pay_winners


@pytest.mark.parametrize(
    ("points", "sign", "paid"),
    [
        ([5, 9], 1, [-0.4, 0.4]),
        ([5, 9], -1, [0.4, -0.4]),
        ([30, 0, 0], 1, [3.0, -1.5, -1.5]),
        ([7], 1, [0.0]),
    ],
)
def test_margins_are_tenths_of_the_lead_over_the_mean_of_the_others(points, sign, paid):
    out = np.full(len(points), 9, np.float32)
    pay_margins(np.array(points, np.int32), len(points), sign, out)
    np.testing.assert_allclose(out, paid, atol=1e-6)


@pytest.mark.parametrize(
    ("ranks", "paid"),
    [([1], [0]), ([1, 2], [1, -1]), ([2, 1, 3], [-0.5, 1, -0.5]), ([1, 1, 3], [0.25, 0.25, -0.5])],
)
def test_winners_share_what_the_others_pay(ranks, paid):
    out = np.array(ranks, np.float32)
    pay_winners(out, len(ranks))
    np.testing.assert_allclose(out, paid, atol=1e-6)
