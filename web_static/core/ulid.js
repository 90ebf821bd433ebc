/** Identifiers made here: a ULID is sortable by time and unguessable, and serves as an Idempotency-Key. */

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function ulid(now = Date.now()) {
  let time = "";
  for (let rest = now, n = 0; n < 10; n += 1, rest = Math.floor(rest / 32)) time = DIGITS[rest % 32] + time;
  return time + [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => DIGITS[byte % 32]).join("");
}
