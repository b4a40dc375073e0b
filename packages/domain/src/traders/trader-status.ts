/** Statuses of a trader (console spec, section 4). Any status may follow any other. */
export const TRADER_STATUSES = ['pending', 'connected', 'delinquent'] as const;
export type TraderStatus = (typeof TRADER_STATUSES)[number];

/** Tabs of the Traders list. */
export const TRADER_TABS = ['inbox', 'connected', 'delinquent'] as const;
export type TraderTab = (typeof TRADER_TABS)[number];

/**
 * The tab of a trader, or null: a pending trader without any exchange account is in none.
 * @param accountCount exchange accounts of the trader that the viewer may see
 */
export function tabOf(status: TraderStatus, accountCount: number): TraderTab | null {
  if (status !== 'pending') return status;
  return accountCount > 0 ? 'inbox' : null;
}
