"""What scikit-learn gives to estimators where it is installed: metadata routing, a picture, callbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import RoundFinished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.ensembles.events import Event



def _as_it_is(method: Any) -> Any:
    return method


Base: Any = object
ending_callbacks: Any = _as_it_is  # for a method that may call callbacks
try:
    from sklearn.base import BaseEstimator
except ImportError:
    pass
else:
    Base = BaseEstimator
    try:  # since 1.9
        from sklearn import callback
    except ImportError:
        pass
    else:
        Base = type("Base", (callback.CallbackSupportMixin, BaseEstimator), {})
        ending_callbacks = callback.with_callbacks


def calling_back(
    estimator: Any, events: Iterator[Event], rounds: int, given: dict[str, Any],
    so_far: Callable[[], dict[str, Any]],
) -> Iterator[Event]:  # fmt: skip
    """Yield the same events, and call scikit-learn's callbacks at every round; one that says so ends the run.

    `so_far` makes the attributes of an estimator that was fitted until now.
    """
    if not hasattr(estimator, "_skl_callbacks") or not hasattr(estimator, "_init_callback_context"):
        yield from events
        return
    context = estimator._init_callback_context(max_subtasks=rounds)
    told = {"estimator": estimator, **given, "reconstruction_attributes": so_far}
    context.call_on_fit_task_begin(**told | {"reconstruction_attributes": None})
    for event in events:
        yield event
        if isinstance(event, RoundFinished):
            part = context.subcontext(task_name="round")
            part.call_on_fit_task_begin(**told | {"reconstruction_attributes": None})
            if part.call_on_fit_task_end(**told):
                break
    context.call_on_fit_task_end(**told)
