/** List prices of the dearest model in USD, as of 2026-11-30; shared/contracts/prices.py is the table, a test compares. */

const PER_MILLION = { input_tokens: 2.0, output_tokens: 12.0 };
const PER_THOUSAND_SEARCHES = 14.0;

/** What a Deep Research run costs, by Google's own account, and what it may at most. */
export const RESEARCH_RANGE = [1, 7];

/** How what it cost stands to that: "below", "within" or "above". */
export const toEstimate = (usd) => (usd < RESEARCH_RANGE[0] ? "below" : usd <= RESEARCH_RANGE[1] ? "within" : "above");

/** What a usage {input_tokens, output_tokens, thought_tokens, tool_use_tokens, searches} costs; discount_micros is what a cheaper model took less. */
export function costOf({ input_tokens = 0, output_tokens = 0, thought_tokens = 0, tool_use_tokens = 0, searches = 0, discount_micros = 0 }) {
  const tokens = (input_tokens + tool_use_tokens) * PER_MILLION.input_tokens + (output_tokens + thought_tokens) * PER_MILLION.output_tokens;
  return Math.max(0, tokens - discount_micros) / 1e6 + (searches * PER_THOUSAND_SEARCHES) / 1000;
}
