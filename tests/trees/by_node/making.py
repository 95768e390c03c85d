"""Tables and trees for the tests of trees of means and class shares."""

from __future__ import annotations

import numpy as np
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from workbench.data.samples import sample_file
from workbench.parameters.training import TrainingParams
from workbench.trees.by_node.coded_columns import code_columns
from workbench.trees.by_node.grower import NodeGrowing, grow
from workbench.trees.by_node.target import class_target, number_target
from workbench.trees.tree import NODE_DTYPE, Tree
from workbench.trees.tree_method import RunRows

CLASSES = ("iris", "wine", "breast_cancer", "digits")
REAL = (*CLASSES, "diabetes", "concrete")


def real_table(name):
    """Return features as float32, the target, and how many classes it has (0: a number)."""
    if name == "concrete":
        lines = np.genfromtxt(sample_file("concrete_strength"), delimiter=",", skip_header=1)
        return lines[:, :-1].astype(np.float32), lines[:, -1], 0
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X.astype(np.float32), y, len(np.unique(y)) if name in CLASSES else 0


def coded(X, method="exact", n_categories=None, max_bin=255):
    d = X.shape[1]
    rows = RunRows(X, np.arange(len(X)), np.arange(0), tuple(n_categories or (0,) * d))
    return code_columns(rows, TrainingParams(method="forest", tree_method=method, max_bin=max_bin))


def target_of(y, n_classes):
    return class_target(y, n_classes) if n_classes else number_target(np.asarray(y, np.float64))


def grown(X, y, n_classes, weight=None, seed=0, number=1, method="exact", n_categories=None, **shape):
    weight = np.ones(len(y)) if weight is None else weight
    columns = coded(X, method, n_categories)
    return grow(
        columns, target_of(y, n_classes), weight, NodeGrowing(**shape), np.arange(X.shape[1]), seed, number
    )


def sklearn_tree(X, y, n_classes, criterion="gini", sample_weight=None, **params):
    if n_classes:
        return DecisionTreeClassifier(criterion=criterion, random_state=0, **params).fit(X, y, sample_weight)
    return DecisionTreeRegressor(random_state=0, **params).fit(X, y, sample_weight)


def impurity(y, n_classes, criterion, weight):
    """Return weight times impurity of some rows, in plain NumPy."""
    total = weight.sum()
    if not n_classes:
        return float((weight * (y - np.average(y, weights=weight)) ** 2).sum())
    p = np.bincount(y, weight, n_classes) / total
    if criterion == "gini":
        return float(total * (p * (1 - p)).sum())
    if criterion == "misclassification":
        return float(total * (1 - p.max()))
    return float(-total * (p[p > 0] * np.log(p[p > 0])).sum())


def after_split(y, n_classes, criterion, yes, weight=None):
    weight = np.ones(len(y)) if weight is None else weight
    return sum(impurity(y[side], n_classes, criterion, weight[side]) for side in (yes, ~yes) if side.any())


def as_tree(fitted):
    """Return the structure of scikit-learn's tree, breadth-first, as ours: of one mean, or one share."""
    theirs = fitted.tree_
    order, parents = [0], [-1]
    for place, node in enumerate(order):
        if theirs.children_left[node] >= 0:
            order += [theirs.children_left[node], theirs.children_right[node]]
            parents += [place, place]
    nodes = np.zeros(len(order), NODE_DTYPE)
    nodes["parent"], nodes["left"], nodes["right"], nodes["feature"] = parents, -1, -1, -1
    for place, parent in enumerate(parents):
        if parent >= 0 and nodes["left"][parent] < 0:
            nodes["left"][parent], nodes["right"][parent] = place, place + 1
            nodes["feature"][parent] = theirs.feature[order[parent]]
    nodes["sum_hessian"] = theirs.weighted_n_node_samples[order]
    errors = theirs.impurity[order] * nodes["sum_hessian"] / nodes["sum_hessian"][0]
    return Tree(nodes, np.zeros(len(order) + 1, np.int32), np.empty(0, np.int32)), errors
