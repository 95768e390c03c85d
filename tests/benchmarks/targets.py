"""The ratios of ours to a peer's time that are not to be exceeded."""

from __future__ import annotations

ONE_THREAD = 1.1  # with one thread the ratios may be 10 % larger

TARGETS: dict[str, dict[str, float]] = {
    key: dict(zip(("LightGBM", "LightGBM quantised", "XGBoost hist", "scikit-learn", "CatBoost"), row,
                  strict=True))
    for key, row in {
        "W1": (0.38, 0.48, 0.40, 0.35, 0.42),
        "W2": (0.38, 0.48, 0.40, 0.35, 0.45),
        "W3": (0.45, 0.50, 0.42, 0.45, 0.45),
        "W4": (0.40, 0.42, 0.30, 0.25, 0.30),
        "W5": (0.35, 0.35, 0.25, 0.15, 0.25),
        "W6": (0.38, 0.50, 0.42, 0.36, 0.40),
    }.items()
} | {
    "exact": {"XGBoost exact": 0.15},
    "flags": {"LightGBM": 0.38, "XGBoost hist": 0.40},
    "mixed": {"LightGBM": 0.45, "XGBoost hist": 0.45},
    "predict": {"LightGBM": 0.2, "XGBoost hist": 0.55},
    "binning": {"LightGBM": 0.25, "XGBoost hist": 0.2},
}


def target(key: str, peer: str, threads: int) -> float:
    """Return the largest ratio that is good enough."""
    return TARGETS[key][peer] * (ONE_THREAD if threads == 1 else 1.0)
