const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/** A trader is reminded of an invoice that is due within so long. */
export const DUE_SOON_MS = 24 * HOUR_MS;

/**
 * Traders are told that an invoice is overdue for so long after its due date. What was overdue before then was told by
 * whoever kept the invoices until now: the first run over an imported database would write to everybody at once.
 */
export const OVERDUE_REACH_MS = 3 * 24 * HOUR_MS;

const FIRST_DELAY_MS = 2 * SECOND_MS;
const LONGEST_DELAY_MS = 5 * 60 * SECOND_MS;
/** Outages of Telegram have lasted for hours; a day leaves time to see that it is something else. */
const PATIENCE_MS = 24 * HOUR_MS;

const delayAfter = (attempts: number) => Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
const MOST_ATTEMPTS = countAttempts();

/**
 * How long a message waits that did not arrive for a reason that passes: longer each time, and for a day and more
 * altogether.
 * @param attempts that were made, at least 1
 * @returns ms, or null when it is not tried again
 */
export function retryDelayMs(attempts: number): number | null {
  return attempts > MOST_ATTEMPTS ? null : delayAfter(attempts);
}

function countAttempts(): number {
  let attempts = 0;
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += delayAfter(attempts)) attempts += 1;
  return attempts;
}
