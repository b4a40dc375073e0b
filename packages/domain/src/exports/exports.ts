/** The lists that can be exported, by the word that a call names them with. */
export const EXPORT_LISTS = [
  'traders',
  'closed_positions',
  'invoices',
  'payouts',
  'audit',
  'refusals',
] as const;
export type ExportList = (typeof EXPORT_LISTS)[number];

/** From more rows than these on, the console has a list exported in the background. */
export const BACKGROUND_ABOVE_ROWS = 1_000;

/** Exports of one person that wait or run. */
export const MAX_UNFINISHED_EXPORTS = 3;
/** Files that one person keeps, those of unfinished exports included. */
export const MAX_KEPT_EXPORTS = 20;
/** From the end of an export on. */
export const EXPORT_FILE_DAYS = 7;
/** Days for which a list of exports shows what became of a file. */
export const EXPORT_ROW_DAYS = 30;

/**
 * Why an export has no file. `access_changed`: the person lost rights before it was finished; `not_found`: what the list
 * belongs to is gone; `outdated`: this version has no such filter; `too_slow`: the database gave the statement up;
 * `failed`: every attempt ended by a fault of ours.
 */
export const EXPORT_REASONS = ['access_changed', 'not_found', 'outdated', 'too_slow', 'failed'] as const;
export type ExportReason = (typeof EXPORT_REASONS)[number];
