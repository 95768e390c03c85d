"""What a model tells of itself and of rows, beside its predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.explain.attribution.column_importance import ColumnImportance
    from workbench.explain.attribution.walks import Weighing
    from workbench.explain.effects.partial import EffectRows
    from workbench.explain.pruning_path import PruningPath
    from workbench.formats.column_effects import ColumnEffect
    from workbench.formats.factors.factor_tables import FactorTables
    from workbench.formats.model_like import ModelLike


class ExplainedModel:
    """The part of `Model` that explains."""

    def contributions(
        self: ModelLike, X: Any, interactions: bool = False, by: Weighing = "hessian",
        rounds: int | None = None, background: Any = None, *, each_round: bool = False,
        each_tree: bool = False, base_margin: Any = None, threads: int = 0,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return SHAP values: what each column adds to the raw prediction of each row.

        Exact, by the tree algorithm of Lundberg et al.; of a linear model it is β(x − mean). XGBoost's
        `pred_contribs` and `pred_interactions` weigh nodes by H, as here by default; other programs weigh
        them by rows.

        Parameters
        ----------
        X
            As in `predict`.
        interactions : bool
            Return a matrix a row: half the interaction of two columns in each of their two cells, and what
            is left to each column alone on the diagonal.
        by : {"hessian", "rows"}
            What the nodes weigh where a column is not known.
        rounds : int, optional
            Use the first rounds only.
        background : as `X`, optional
            Rows whose values stand for those of columns that are not known, in place of the nodes' weights.
        each_round : bool
            Return what each round adds, as it counts in the end. Round 0 is the base before the first tree.
        each_tree : bool
            Return what each tree adds to its output, as it counts in the end.
        base_margin : array-like of shape (n,), optional
        threads : int
            0 is one a processor core.

        Returns
        -------
        ndarray of float64, shape (n, d + 1)
            The last column is the base; a row adds up to `predict_raw`. Interactions: (n, d + 1, d + 1).
            Each round: (n, rounds + 1, d + 1), which add up to the contributions over the rounds. Models of
            several raw predictions a row have an axis of them before the columns. Each tree:
            (n, trees, d + 1), of which those of an output add up, with its base score, to its contributions.
        """
        from workbench.data.encoding import encode
        from workbench.data.given.rows import rows_of
        from workbench.formats.explanations import contributions_of

        X = rows_of(X)
        features = encode(self.schema, X)
        offset = self.offset_of(X, base_margin, len(features))
        return contributions_of(
            self, features, offset, interactions=interactions, each_round=each_round, each_tree=each_tree,
            by=by, rounds=rounds, background=background, threads=threads,
        )

    def importance(
        self: ModelLike, kind: str = "total_gain", X: Any = None, y: Any = None, *, weight: Any = None,
        group: Any = None, metric: str | None = None, repeats: int = 5, seed: int = 0,
        rounds: int | None = None,
    ) -> ColumnImportance:  # fmt: skip
        """Return how much each column matters, as a mapping by name.

        Parameters
        ----------
        kind : {"total_gain", "gain", "total_cover", "cover", "count", "permutation", "out_of_bag"}
            Sum or mean of the gain ½[…] − γ of a column's splits, or of their H; how many there are
            (XGBoost's "weight" works too). XGBoost's gain is 2(gain + γ) of this one.
            "permutation": by how much the metric gets worse where a column is permuted among rows.
            "out_of_bag": the same of each tree of a forest on the rows that it did not draw (Breiman 2001);
            `spread` is the standard error over the trees.
        X, y, weight, group
            Rows with answers, for permutation; as in `evaluate`. For "out_of_bag" the whole training table.
        metric : str, optional
            Which gets worse; the objective's own by default.
        repeats : int
            How often each column is permuted; the deviation is under `spread`.
        seed : int
            As scikit-learn's `random_state`: it permutes the same rows.
        rounds : int, optional
            Use the first rounds only.
        """
        from workbench.formats.explanations import importance_of

        rows = None if X is None else (X, y, weight, group)
        return importance_of(
            self, kind, rows, metric=metric, repeats=repeats, seed=seed, rounds=rounds
        )

    def pruning_path(
        self: ModelLike, X: Any, y: Any = None, *, weight: Any = None, folds: int = 10
    ) -> PruningPath:
        """Return how a tree of the method cart is cut back, by ascending α: `alphas`, `leaves`, `impurities`.

        Parameters
        ----------
        X : DataFrame, table of Arrow, or array-like of shape (n, d)
            The whole training table.
        y, weight : array-like of shape (n,), optional
            Where the table does not hold them.
        folds : int
            For `error` and `deviation` of each tree, and the places `best` and `one_deviation`; 0 for none.
            Train with `ccp_alpha=path.alphas[path.one_deviation]` for the smallest tree that is as good as
            the best but for one standard error.
        """
        from workbench.explain.pruning_path import pruning_path
        from workbench.formats.trained_rows import trained_rows

        if self.params.method != "cart":
            raise WorkbenchError("A pruning path is that of one tree. Train by the method cart.")
        return pruning_path(trained_rows(self, X, y, weight), self.params, folds)

    def leaf_indices(self: ModelLike, X: Any, rounds: int | None = None) -> NDArray[np.int32]:
        """Return the node of `trees[t].nodes` in which each row ends, shape (n, n_trees).

        XGBoost's `pred_leaf` says the same of the saved model, but for two things: the children of a question
        about categories have changed places there; and where a tree of one leaf stands first in that file,
        for a base that XGBoost would round, it has a column before these.
        """
        from workbench.data.encoding import encode
        from workbench.ensembles.prediction import leaf_indices

        ensemble = self.ensemble if rounds is None else self.ensemble.first_rounds(rounds)
        return leaf_indices(ensemble.trees, encode(self.schema, X))

    def staged_predict(self: ModelLike, X: Any, base_margin: Any = None) -> Iterator[NDArray[Any]]:
        """Yield what `predict` returns after each round, from the first."""
        from workbench.data.encoding import encode
        from workbench.data.given.rows import rows_of
        from workbench.formats.explanations import staged_raw

        X = rows_of(X)
        features = encode(self.schema, X)
        offset = self.offset_of(X, base_margin, len(features))
        for raw in staged_raw(self.ensemble, features, offset):
            yield self.transform(raw)

    def partial_dependence(
        self: ModelLike, X: Any, columns: Any, places: Any = None, *, rounds: int | None = None,
        raw: bool = False, lines: bool = False, weight: Any = None, base_margin: Any = None,
    ) -> ColumnEffect:  # fmt: skip
        """Return the mean prediction over the rows with one column, or two, put at each place.

        Parameters
        ----------
        X
            As in `predict`: the rows that are averaged over.
        columns : name or place, or two of them
        places : sequence, optional
            Values of one column, None for missing. By default where the model's thresholds part it, so that
            the prediction is the same all between two places; of categories those in `X`.
        rounds, base_margin
            As in `predict`.
        raw : bool
            Before the link.
        lines : bool
            With the line of each row, of one column.
        weight : array-like of shape (n,), optional
        """
        from workbench.formats.column_effects import effect_of

        ensemble = self.ensemble if rounds is None else self.ensemble.first_rounds(rounds)
        rows = _effect_rows(self, X, weight, base_margin)
        return effect_of(self, ensemble, columns, rows, places, raw=raw, lines=lines)

    def accumulated_effects(
        self: ModelLike, X: Any, column: Any, *, rounds: int | None = None, raw: bool = False,
        weight: Any = None, base_margin: Any = None,
    ) -> ColumnEffect:  # fmt: skip
        """Return the accumulated local effects of a column, at quantiles of its numbers or at its categories.

        Categories stand in the order in which changes are added up, those beside each other whose rows are
        alike in the other columns.

        Parameters
        ----------
        X, column, rounds, raw, weight, base_margin
            As in `partial_dependence`.
        """
        from workbench.formats.column_effects import accumulated_of

        ensemble = self.ensemble if rounds is None else self.ensemble.first_rounds(rounds)
        return accumulated_of(self, ensemble, column, _effect_rows(self, X, weight, base_margin), raw=raw)

    def factor_tables(
        self: ModelLike, X: Any, y: Any = None, *, weight: Any = None, base_margin: Any = None,
        rounds: int | None = None,
    ) -> FactorTables:  # fmt: skip
        """Return the model as tables: a constant, effects of columns, and of pairs of columns.

        Where trees ask at most two columns on the way to any leaf (`max_depth=2`, or interaction constraints
        of pairs), constant and tables add up to the raw prediction of every row; else they are the nearest
        such tables, and `left_out` is the share of variance that they miss.

        Parameters
        ----------
        X : DataFrame, table of Arrow, or array-like of shape (n, d)
            Rows that weigh the levels: effects have a mean of 0 over them, and pairs over each level.
        y : array-like of shape (n,), optional
            The answers, where `X` does not hold them: with them the tables have G and H.
        weight : array-like of shape (n,), optional
        rounds, base_margin
            As in `predict`. With a log link the exposure of a row is its weight times e^offset.
        """
        from workbench.data.encoding import encode
        from workbench.data.given.rows import rows_of
        from workbench.formats.factors.factor_tables import GivenRows, tables_of_given

        X = rows_of(X)
        features = encode(self.schema, X)
        given = GivenRows(X, features, y, weight, self.offset_of(X, base_margin, len(features)))
        ensemble = self.ensemble if rounds is None else self.ensemble.first_rounds(rounds)
        return tables_of_given(ensemble, self.schema, self.params, given)


def _effect_rows(model: ModelLike, X: Any, weight: Any, base_margin: Any) -> EffectRows:
    from workbench.data.encoding import encode
    from workbench.data.given.plain_series import weights_of
    from workbench.data.given.rows import rows_of
    from workbench.explain.effects.partial import EffectRows

    X = rows_of(X)
    features = np.asfortranarray(encode(model.schema, X))
    offset = model.offset_of(X, base_margin, len(features))
    weights = None if weight is None else weights_of(weight, len(features))
    if weights is not None and not weights.any():
        raise WorkbenchError("Every weight is 0, so these rows have no mean.")
    return EffectRows(features, np.arange(len(features)), weights, offset)
