import type { AttentionGroup, Urgency } from './attention-kinds.ts';

/** What a person is mailed at once. */
export const AT_ONCE = ['nothing', 'urgent', 'approvals'] as const;
export type AtOnce = (typeof AT_ONCE)[number];

/** How a person is told: by mail, or in its own chat with the platform's bot. */
export const CHANNELS = ['mail', 'telegram'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Items that arrive within this many minutes after a mail wait for the next one. */
export const MAIL_PAUSE_MINUTES = 10;
/**
 * A digest that could not be written at its hour is written within this many hours; later it would be
 * outdated.
 */
const DIGEST_HOURS = 4;

/** Whether an item is mailed at once. */
export const isMailedAtOnce = (
  atOnce: AtOnce,
  { group, urgency }: { group: AttentionGroup; urgency: Urgency },
): boolean => atOnce !== 'nothing' && (urgency === 1 || (atOnce === 'approvals' && group === 'approvals'));

/** The day, as 2026-11-21, and the hour of a moment in a time zone. */
export function localHour(at: Date, timeZone: string): { day: string; hour: number } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return { day: [of('year'), of('month'), of('day')].join('-'), hour: Number(of('hour')) };
}

/** Whether the digest of a day is due, once a day from its hour on. */
export function isDigestDue(
  { digestHour, digestOn }: { digestHour: number | null; digestOn: string | null },
  { day, hour }: { day: string; hour: number },
): boolean {
  if (digestHour === null || (digestOn !== null && digestOn >= day)) return false;
  return hour >= digestHour && hour < digestHour + DIGEST_HOURS;
}

/**
 * The items that are new since the last mail. An item that ended and returned has another beginning, so it is
 * new.
 */
export function newItems(waiting: readonly string[], mailed: readonly string[]): string[] {
  const known = new Set(mailed);
  return waiting.filter((item) => !known.has(item));
}
