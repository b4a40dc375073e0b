/**
 * What is done to many traders at once by a worker, one by one. Money is not among it: a bulk repeat of payments is one
 * order, placed in the call.
 */
export const BULK_ACTS = ['status', 'read', 'notify', 'ask_key'] as const;
export type BulkAct = (typeof BULK_ACTS)[number];

/** The lists that a selection can be all matches of. */
export const BULK_LISTS = ['traders', 'invoices', 'accounts'] as const;
export type BulkList = (typeof BULK_LISTS)[number];

/** More than a person reviews, and more than one transaction should write. */
export const MAX_BULK_ROWS = 10_000;
/** Above so many rows the console asks for their number, typed. */
export const TYPED_COUNT_ABOVE_ROWS = 100;
/** Rows that a preview names. Its counts and sums are of all. */
export const PREVIEWED_ROWS = 200;
/** Acts of one person that wait or run. */
export const MAX_UNFINISHED_BULK_ACTS = 3;
/** Days for which the outcome of an act is listed. */
export const BULK_ROW_DAYS = 30;

/** Until it begins, an act can be undone without a trace. Reading an account changes nothing that could be undone. */
export const BULK_HOLD_SECONDS: Readonly<Record<BulkAct, number>> = {
  status: 10,
  read: 0,
  notify: 10,
  ask_key: 10,
};

/**
 * Why an act leaves a trader as it is. `has_status`: it has that status already; `no_accounts`: none that the person
 * sees; `nothing_unpaid`; `keys_work`: no account of it needs a new key; `not_reachable`: without a Telegram ID; `told_lately`:
 * the same message waits or was sent a moment ago, or within a day if it asks for a key; `changed_meanwhile`: its status is no longer what the preview said; `gone`: deleted, or no longer
 * seen by the person; `access_changed`: the person may no longer do it.
 */
export const BULK_REASONS = [
  'has_status',
  'no_accounts',
  'nothing_unpaid',
  'keys_work',
  'not_reachable',
  'told_lately',
  'changed_meanwhile',
  'gone',
  'access_changed',
] as const;
export type BulkReason = (typeof BULK_REASONS)[number];

/** What became of one trader: null while it waits. `failed`: by a fault of ours, and it can be tried again. */
export const BULK_OUTCOMES = ['done', 'left_out', 'failed'] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

export const BULK_STATES = ['waiting', 'running', 'done', 'cancelled'] as const;
export type BulkState = (typeof BULK_STATES)[number];
