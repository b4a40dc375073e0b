/** Groups of kinds in the list's filter, in this order. */
export const ATTENTION_GROUPS = [
  'money_out',
  'approvals',
  'pools',
  'keys',
  'messages',
  'invoices',
  'access',
  'system',
] as const;
export type AttentionGroup = (typeof ATTENTION_GROUPS)[number];

/**
 * 1: money or trust is at stake now, which no single person takes from the others' sight; 2: someone or something waits;
 * 3: it may wait for a quiet hour.
 */
export type Urgency = 1 | 2 | 3;

/** Kinds of items that need a person. Each item is derived from its cause, and ends with it. */
export const ATTENTION = {
  /** All payments are stopped. */
  payments_stopped: { group: 'money_out', urgency: 1 },
  /** A wallet sends nothing until a person has reviewed it. */
  wallet_frozen: { group: 'money_out', urgency: 1 },
  /** Payouts of a community failed, and were not ordered again. */
  payouts_failed: { group: 'money_out', urgency: 1 },
  /** Payouts of a distribution wait with a problem, or longer than a payout takes. */
  payouts_stuck: { group: 'money_out', urgency: 2 },
  /** The coin for fees is at an end. */
  gas_low: { group: 'money_out', urgency: 2 },
  /** A distribution waits for another super admin. */
  distribution_waiting: { group: 'approvals', urgency: 2 },
  /** An order of money waits for another super admin. */
  order_waiting: { group: 'approvals', urgency: 2 },
  /** The owner of a changed payout address said that it is not theirs. */
  address_disowned: { group: 'approvals', urgency: 1 },
  /** A changed payout address waits for its release. */
  address_waiting: { group: 'approvals', urgency: 2 },
  /** A changed setting waits for another super admin. */
  setting_waiting: { group: 'approvals', urgency: 2 },
  /** A new super admin waits for a confirmation. */
  super_admin_waiting: { group: 'approvals', urgency: 2 },
  /** A pool is traded although its trading was paused. */
  pool_traded_on: { group: 'pools', urgency: 1 },
  /** A harvest waits for a person, or for an owner. */
  harvest_waiting: { group: 'pools', urgency: 2 },
  /** Money arrived at a pool, and its origin is to be decided. */
  arrival_open: { group: 'pools', urgency: 2 },
  /** A pool has lost nearly as much as its circuit breaker allows. */
  pool_near_breaker: { group: 'pools', urgency: 2 },
  /** The key of an exchange account does not work. */
  key_failing: { group: 'keys', urgency: 2 },
  /** The exchange ends a key within `EXPIRING_DAYS`. */
  key_expiring: { group: 'keys', urgency: 2 },
  /** Accounts at an exchange were not read for an hour. */
  accounts_unread: { group: 'keys', urgency: 2 },
  /** A trader did not get the last messages. */
  message_failed: { group: 'messages', urgency: 3 },
  /** The owner of a community did not get a message. */
  owner_unreached: { group: 'messages', urgency: 2 },
  /** A bot does not answer its people. */
  bot_failing: { group: 'messages', urgency: 2 },
  /** A note mentions the reader, who has not seen it. */
  note_mention: { group: 'messages', urgency: 2 },
  /** A payment that no invoice took. */
  payment_unmatched: { group: 'invoices', urgency: 2 },
  /** A draft of invoices is neither sent nor discarded: it is discarded after a day. */
  invoices_drafted: { group: 'invoices', urgency: 2 },
  /** A trader owes for longer than `OVERDUE_DAYS`. */
  invoices_overdue: { group: 'invoices', urgency: 3 },
  /** A trader is suggested as delinquent. */
  delinquent_suggested: { group: 'invoices', urgency: 3 },
  /** A person asked for access. */
  access_waiting: { group: 'access', urgency: 2 },
  /** Many attempts of one caller were refused. */
  refusals_many: { group: 'access', urgency: 2 },
  /** The chain is not read. */
  chain_stopped: { group: 'system', urgency: 1 },
  /** A check of the books found something. */
  check_failed: { group: 'system', urgency: 1 },
  /** A recurring job fails, or what events of a vendor asked for was given up. */
  work_failing: { group: 'system', urgency: 2 },
  /** Steps of the set-up are left, or do not work. */
  setup_left: { group: 'system', urgency: 3 },
  /** The subscription of a community is not paid. */
  subscription_unpaid: { group: 'system', urgency: 3 },
} as const satisfies Record<string, { group: AttentionGroup; urgency: Urgency }>;
export type AttentionKind = keyof typeof ATTENTION;
export const ATTENTION_KINDS = Object.keys(ATTENTION) as [AttentionKind, ...AttentionKind[]];

/** Invoices that are overdue for longer are an operator's matter; before, the trader is reminded by messages. */
export const OVERDUE_DAYS = 14;
/** A normal payout is paid within this time. */
export const PAYOUT_MINUTES = 60;
/** A trader who is asked now has a week to answer, and another one to be asked again. */
export const EXPIRING_DAYS = 14;
/** Readings are at most some minutes apart. */
export const UNREAD_MINUTES = 60;
/** Refusals of one caller and call within an hour, of which a person should know. */
export const MANY_REFUSALS = 20;
/** All attempts of one occurrence of a job: one that fails once is tried again within minutes. */
export const FAILED_RUNS = 3;
/** Coin for fewer days is little. */
export const GAS_DAYS = 3;
/**
 * A person who takes an item has it alone for this many hours. After that it waits for the others again, and
 * comes first for that person.
 */
export const TAKEN_HOURS = 24;

/** Whether a taken item was left without a result for too long. @param takenAt ISO 8601 */
export const isLeft = (takenAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(takenAt) >= TAKEN_HOURS * 3_600_000;

/** The longest snooze of an item. */
export const LONGEST_SNOOZE_DAYS = 30;

/** For whom an item waits. `you` is the reader; only these items are emphasised. */
export const ATTENTION_TURNS = ['you', 'another', 'colleague', 'owner', 'trader', 'system'] as const;
export type AttentionTurn = (typeof ATTENTION_TURNS)[number];

export const ATTENTION_TABS = ['you', 'others', 'snoozed'] as const;
export type AttentionTab = (typeof ATTENTION_TABS)[number];
