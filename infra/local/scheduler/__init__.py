"""Calls the functions of the manifest that run by the clock, as Cloud Scheduler does."""

from infra.local.scheduler.part import SchedulerPart

__all__ = ["SchedulerPart"]
