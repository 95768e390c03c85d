"""Training on a cluster: a trainer on xgboost.dask that yields the events of every other one.

Only here is dask imported.
"""
