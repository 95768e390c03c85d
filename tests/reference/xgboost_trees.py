"""Trees of XGBoost as arrays, and a walk down one of them and one of ours side by side."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class TheirTree(NamedTuple):
    left: np.ndarray  # −1 in a leaf
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    default_left: np.ndarray
    loss_change: np.ndarray  # twice our gain + γ
    weight: np.ndarray  # w*, also of splits


def their_trees(booster):
    model = json.loads(booster.save_raw("json"))
    return [
        TheirTree(
            np.array(t["left_children"]), np.array(t["right_children"]), np.array(t["split_indices"]),
            np.array(t["split_conditions"], np.float32), np.array(t["default_left"]) == 1,
            np.array(t["loss_changes"]), np.array(t["base_weights"]),
        )
        for t in model["learner"]["gradient_booster"]["model"]["trees"]
    ]


def cut_off(theirs, gamma):
    """Return their tree as pre-stopping leaves it: no split that gains less than γ, and nothing below it."""
    stops = (theirs.left >= 0) & (0.5 * theirs.loss_change < gamma)
    return theirs._replace(left=np.where(stops, -1, theirs.left))


@dataclass
class Comparison:
    """What came out of comparing trees."""

    nodes: int = 0
    ties: int = 0  # different splits of the same gain
    noise: int = 0  # splits whose gain is lost in the rounding of float32, made by one of the two only
    parted: list = field(default_factory=list)  # ways from the root to these, as "L" and "R"
    faults: list = field(default_factory=list)

    def add(self, other):
        """Count what came out elsewhere too."""
        self.nodes += other.nodes
        self.ties += other.ties
        self.noise += other.noise


def compare(ours, theirs, features, reg_lambda, learning_rate, result, parted=()):
    """Walk down both trees at once; where splits differ, they must gain as much, and the walk ends there.

    A default direction counts only where the node has a value missing in the column it asks about. Pruning
    takes away what gains too little below: one of two pruned trees may go on only where the whole ones part
    ways, which `parted` tells.
    """
    pairs = [(0, 0, np.arange(len(features)), "")]
    while pairs:
        node, other, rows, way = pairs.pop()
        record = ours.nodes[node]
        result.nodes += 1
        if ours.is_leaf[node] != (theirs.left[other] < 0):
            if any(place.startswith(way) for place in parted):
                result.ties += 1
            else:
                _excuse(ours, node, theirs, other, way, reg_lambda, result)
        elif ours.is_leaf[node]:
            value = theirs.weight[other] * learning_rate
            if not np.isclose(record["leaf_value"], value, rtol=1e-5, atol=1e-6 * learning_rate):
                result.faults.append(("leaf", node, record["leaf_value"], value))
        elif (record["feature"], record["threshold"]) != (theirs.feature[other], theirs.threshold[other]):
            _excuse(ours, node, theirs, other, way, reg_lambda, result)
        else:
            values = features[rows, record["feature"]]
            missing = np.isnan(values)
            if missing.any() and record["default_left"] != theirs.default_left[other]:
                _excuse(ours, node, theirs, other, way, reg_lambda, result)
                continue
            yes = np.where(missing, record["default_left"], values < record["threshold"])
            pairs += [
                (int(record["left"]), theirs.left[other], rows[yes], way + "L"),
                (int(record["right"]), theirs.right[other], rows[~yes], way + "R"),
            ]


def _excuse(ours, node, theirs, other, way, reg_lambda, result):
    """Count a tie: both gains, γ that of a leaf, the same but for the float32 in which XGBoost takes them."""
    record = ours.nodes[node]
    least = 2 * ours.gamma
    gain = least if ours.is_leaf[node] else 2 * record["gain"] + least
    change = least if theirs.left[other] < 0 else theirs.loss_change[other]
    score = record["sum_gradient"] ** 2 / (record["sum_hessian"] + reg_lambda + 1e-16)
    if abs(gain - change) <= 4e-7 * (2 * score + max(gain, change)) + 1.1e-6:
        is_noise = ours.is_leaf[node] or theirs.left[other] < 0
        result.noise += is_noise
        result.ties += not is_noise
        result.parted.append(way)
    else:
        result.faults.append(("split", node, record, gain, change, theirs.feature[other]))
