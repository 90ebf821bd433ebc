"""What calls functions by itself: document changes, messages, the time of day."""

from __future__ import annotations

from infra.local.environment import Place
from infra.local.eventarc.http_delivery import FunctionPoster, delivering
from infra.local.eventarc.lane import Deliver, RetryPolicy
from infra.local.eventarc.part import EventarcPart, EventarcSettings
from infra.local.eventarc.pubsub_trigger import subscribe
from infra.local.scheduler import SchedulerPart
from infra.local.seams import Seams
from infra.local.services import Services
from shared.contracts.manifest import Manifest, PubSubTrigger


class Triggers:
    """Eventarc and the scheduler, calling functions through the front in the name of their accounts."""

    def __init__(self, seams: Seams, place: Place, manifest: Manifest, retry: RetryPolicy) -> None:
        self._place, self._manifest, self._seams = place, manifest, seams
        settings = EventarcSettings(manifest.functions, place.project, location=place.location, policy=retry)
        self.eventarc = EventarcPart(seams.data_dir, seams.clock, seams.meter, settings, seams.faults)
        post = self._poster("scheduler").post
        self.scheduler = SchedulerPart(manifest.functions, seams.clock, seams.meter, post)

    def start(self, services: Services) -> None:
        """Deliver what is waiting, and what comes."""
        deliver: Deliver = delivering(self._poster("eventarc"))
        self.eventarc.start(services.firestore.changes, deliver)
        for row in self._manifest.functions:
            if isinstance(row.trigger, PubSubTrigger):
                subscribe(services.pubsub, self._place.project, row, deliver)
        self.scheduler.start()

    def close(self) -> None:
        """Idempotent."""
        self.scheduler.close()
        self.eventarc.close()

    def _poster(self, account: str) -> FunctionPoster:
        rows = {row.name: row for row in self._manifest.functions}
        return FunctionPoster(self._seams.iam, account, self._place.project, self._place.function_url, rows)
