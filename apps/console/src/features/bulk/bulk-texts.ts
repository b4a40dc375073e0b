import type { BulkAct, BulkReason } from '@copydesk/domain/bulk';
import { TRADER_STATUSES } from '@copydesk/domain/traders';
import { formatCount } from '../../lib/format/numbers.ts';
import type { Tone } from '../../ui/feedback/badge.tsx';
import type { BulkActRow } from './bulk-queries.ts';

export const tradersWord = (count: number) => `${formatCount(count)} ${count === 1 ? 'trader' : 'traders'}`;

const inWords = (status: string | null | undefined) =>
  TRADER_STATUSES.find((known) => known === status)?.replace(/^./, (first) => first.toUpperCase()) ?? '';

interface Words {
  /** Of the dialog and its button. */
  title: string;
  busy: string;
  /** What it means, in a sentence. */
  means: string;
  /** As in `notified`. */
  done: string;
}

/** The words of an act; `status`: the one that it sets. */
export function wordsOf(act: BulkAct, status?: string | null): Words {
  switch (act) {
    case 'status':
      return {
        title: `Set status ${inWords(status)}`,
        busy: 'Ordering...',
        means: 'A trader whose status another person changes in the meantime keeps it.',
        done: `set to ${inWords(status)}`,
      };
    case 'read':
      return {
        title: 'Read accounts',
        busy: 'Ordering...',
        means: 'Their exchange accounts are read ahead of all others.',
        done: 'to be read next',
      };
    case 'notify':
      return {
        title: 'Notify of unpaid invoices',
        busy: 'Ordering...',
        means: 'Each gets one Telegram message about all of its unpaid invoices, in its language.',
        done: 'notified',
      };
    case 'ask_key':
      return {
        title: 'Ask for new keys',
        busy: 'Ordering...',
        means:
          'Each gets one Telegram message in its language: where its key is refused or ends within 14 days, and to make a new one that may only read.',
        done: 'asked for a new key',
      };
  }
}

export const REASONS: Record<BulkReason, string> = {
  has_status: 'has that status already',
  no_accounts: 'no exchange account',
  nothing_unpaid: 'nothing unpaid',
  keys_work: 'no key to replace',
  not_reachable: 'no Telegram ID',
  told_lately: 'a message waits or was sent lately',
  changed_meanwhile: 'changed by another person meanwhile',
  gone: 'no longer there for you',
  access_changed: 'your access changed',
};

/** What became of an act, as in `312 notified · 21 left out · 3 failed`. */
export function resultOf({ act, status, done, left_out: leftOut, failed }: BulkActRow): string {
  const parts = [`${formatCount(done)} ${wordsOf(act, status).done}`];
  if (leftOut > 0) parts.push(`${formatCount(leftOut)} left out`);
  if (failed > 0) parts.push(`${formatCount(failed)} failed`);
  return parts.join(' · ');
}

/** How far it is, as in `120 of 341`. */
export const progressText = ({ done, left_out: leftOut, failed, total }: BulkActRow) =>
  `${formatCount(done + leftOut + failed)} of ${formatCount(total)}`;

export function shownState(row: BulkActRow): { label: string; tone: Tone } {
  switch (row.state) {
    case 'waiting':
      return { label: 'Waiting', tone: 'neutral' };
    case 'running':
      return { label: 'Running', tone: 'neutral' };
    case 'cancelled':
      return { label: row.done === 0 ? 'Undone' : 'Stopped', tone: 'neutral' };
    case 'done':
      return row.failed > 0
        ? { label: 'Failed in part', tone: 'negative' }
        : { label: 'Done', tone: 'positive' };
  }
}
