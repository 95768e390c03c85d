"""Ends jobs as the window's end does, and lets nothing of them be deleted after their parent."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent


def end_jobs(jobs) -> None:
    jobs.shutdown()
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
