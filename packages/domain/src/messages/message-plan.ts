const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/** Traders are reminded of invoices due within this time. */
export const DUE_SOON_MS = 24 * HOUR_MS;

/**
 * Traders are notified of an overdue invoice only within this time after its due date. Earlier ones were handled by the
 * previous system: otherwise the first run over an imported database would message all traders at once.
 */
export const OVERDUE_REACH_MS = 3 * 24 * HOUR_MS;

const FIRST_DELAY_MS = 2 * SECOND_MS;
const LONGEST_DELAY_MS = 5 * 60 * SECOND_MS;
/** Outages of Telegram have lasted for hours; after a day the cause is something else. */
const PATIENCE_MS = 24 * HOUR_MS;

const delayAfter = (attempts: number) => Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
const MOST_ATTEMPTS = countAttempts();

/**
 * Delay before retrying a message that failed for a temporary reason: growing each time, and more than a day in total.
 * @param attempts that were made, at least 1
 * @returns ms, or null when it is not retried
 */
export function retryDelayMs(attempts: number): number | null {
  return attempts > MOST_ATTEMPTS ? null : delayAfter(attempts);
}

function countAttempts(): number {
  let attempts = 0;
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += delayAfter(attempts)) attempts += 1;
  return attempts;
}
