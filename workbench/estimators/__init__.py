"""scikit-learn's API over the same trainer; scikit-learn itself is not needed."""

from workbench.estimators.classifier import BoostedTreesClassifier
from workbench.estimators.ranker import BoostedTreesRanker
from workbench.estimators.regressor import BoostedTreesRegressor

__all__ = ["BoostedTreesClassifier", "BoostedTreesRanker", "BoostedTreesRegressor"]
