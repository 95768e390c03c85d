from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.objectives.smooth_functions import exp, log1p_of_unit, log_from_one


@kernel
def _fill(x, powers, logs, logs_of_powers):
    for i in range(len(x)):
        powers[i] = exp(x[i])
        logs[i] = log1p_of_unit(abs(x[i]) / 700.0)
        logs_of_powers[i] = log_from_one(exp(abs(x[i])))


def test_they_are_good_to_1e_15():
    x = np.concatenate([np.linspace(-700, 700, 100_001), np.linspace(-1, 1, 100_001)])
    powers, logs, logs_of_powers = np.empty((3, len(x)))
    _fill(x, powers, logs, logs_of_powers)
    np.testing.assert_allclose(powers, np.exp(x), rtol=1e-15)
    np.testing.assert_allclose(logs, np.log1p(np.abs(x) / 700), rtol=1e-15)
    np.testing.assert_allclose(logs_of_powers, np.abs(x), rtol=2e-15, atol=4e-16)
