"""Webhooks of the research service, from their arrival to the execution that they wake."""

from __future__ import annotations

from shared.webhooks.delivery import Delivery, interaction_of
from shared.webhooks.verifying import Verifier
from shared.webhooks.waking import Waking


class Webhooks:
    def __init__(self, verifier: Verifier, waking: Waking) -> None:
        self._verifier, self._waking = verifier, waking

    def receive(self, delivery: Delivery) -> None:
        """Check it, and wake who waits for it. Whether anybody did is not told.

        Raises Unauthorized for what is not the service's, InputError for what is no event, Transient when it had
        better come again.
        """
        names = self._verifier.check(delivery)
        interaction_id = interaction_of(delivery.body)
        if interaction_id is not None:
            self._waking.told(names, interaction_id)
