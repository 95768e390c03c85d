"""Total fit time beside the libraries: same data, parameters and threads, in turns in one run."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import lightgbm
import numpy as np
import xgboost

import workbench

if TYPE_CHECKING:
    from collections.abc import Callable

REPEATS = 3
THREADS = 2


@dataclass(frozen=True)
class Workload:
    """A simulated table and the parameters it is fitted with."""

    name: str
    rows: int
    columns: int
    rounds: int
    objective: str
    depth: int = 6
    learning_rate: float = 0.1


WORKLOADS = (
    Workload("1M × 28 logistic, 100 rounds", 1_000_000, 28, 100, "logistic"),
    Workload("10k × 20 squared, 200 rounds", 10_000, 20, 200, "squared"),
    Workload("1k × 10 squared, 100 rounds", 1_000, 10, 100, "squared"),
)


def make(load: Workload) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian columns; the target follows three of them and an interaction, with noise."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=(load.rows, load.columns)).astype(np.float32)
    raw = x[:, 0] + x[:, 1] * x[:, 2] + np.sin(3 * x[:, 3]) + generator.normal(size=load.rows)
    return x, (raw > 0).astype(np.float64) if load.objective == "logistic" else raw


def ours(load: Workload, x: np.ndarray, y: np.ndarray) -> None:
    """The workbench's booster through its public function."""
    params = workbench.TrainingParams(
        objective=load.objective, rounds=load.rounds, max_depth=load.depth, learning_rate=load.learning_rate,
        threads=THREADS,
    )
    workbench.fit(x, y, params=params)


def xgboost_hist(load: Workload, x: np.ndarray, y: np.ndarray) -> None:
    """XGBoost with `tree_method="hist"`; its metric each round as ours."""
    names = {"logistic": "binary:logistic", "squared": "reg:squarederror"}
    matrix = xgboost.QuantileDMatrix(x, y, max_bin=255, nthread=THREADS)
    xgboost.train(
        {"objective": names[load.objective], "max_depth": load.depth, "eta": load.learning_rate,
         "nthread": THREADS, "max_bin": 255, "verbosity": 0},
        matrix, load.rounds, evals=[(matrix, "train")], verbose_eval=False,
    )


def light_gbm(load: Workload, x: np.ndarray, y: np.ndarray) -> None:
    """LightGBM with as many leaves as the depth allows; its metric each round as ours."""
    names = {"logistic": "binary", "squared": "regression"}
    data = lightgbm.Dataset(x, y)
    lightgbm.train(
        {"objective": names[load.objective], "max_depth": load.depth, "num_leaves": 2**load.depth,
         "learning_rate": load.learning_rate, "num_threads": THREADS, "verbosity": -1, "lambda_l2": 1.0,
         "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 1.0},
        data, load.rounds, valid_sets=[data],
    )


PEERS: tuple[Callable[[Workload, np.ndarray, np.ndarray], None], ...] = (ours, light_gbm, xgboost_hist)


def main() -> None:
    """Print seconds and ratios of every workload."""
    print(f"fit time, {THREADS} threads, median of {REPEATS} in turns, training metric each round")
    for load in WORKLOADS:
        x, y = make(load)
        ours(Workload("warm", 0, 0, 2, load.objective), x[:2000], y[:2000])
        seconds: dict[str, list[float]] = {peer.__name__: [] for peer in PEERS}
        for _ in range(REPEATS):
            for peer in PEERS:
                begin = time.perf_counter()
                peer(load, x, y)
                seconds[peer.__name__].append(time.perf_counter() - begin)
        medians = {name: statistics.median(times) for name, times in seconds.items()}
        ratios = "   ".join(
            f"{name} {medians[name]:.3f} s, ours is {medians['ours'] / medians[name]:.2f} of it"
            for name in medians if name != "ours"
        )
        print(f"{load.name:32s} ours {medians['ours']:.3f} s   {ratios}", flush=True)


if __name__ == "__main__":
    main()
