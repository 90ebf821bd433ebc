/** The live steps of running research on the rows of the feed. */

import { follow, operationEnded } from "../../core/follow.js";
import { step } from "../operation/telling.js";

export class Pending {
  constructor(list, signal) {
    Object.assign(this, { list, signal, steps: new Map(), followed: new Map() });
  }

  /** Follow these operations, and no others. */
  follow(operations) {
    const wanted = new Set(operations.map(({ id }) => id));
    for (const [id, stop] of this.followed) if (!wanted.has(id)) (stop.abort(), this.followed.delete(id));
    for (const { id, seq } of operations) {
      if (!this.followed.has(id)) this.begin(id, seq);
      this.draw(id);
    }
  }

  begin(id, seq) {
    const stop = new AbortController();
    this.followed.set(id, stop);
    const take = ({ data }) => {
      const words = step(data);
      if (words) this.steps.set(id, words);
      this.draw(id);
    };
    const signal = AbortSignal.any([this.signal, stop.signal]);
    follow(`/operations/${encodeURIComponent(id)}/events`, { cursor: Math.max(0, seq - 1), take, ended: operationEnded, signal }).catch(() => {});
  }

  draw(id) {
    const place = this.list.querySelector(`[data-operation="${CSS.escape(id)}"] .step`);
    if (place) place.textContent = this.steps.get(id) ?? "";
  }
}
