import type { LineOutcome, LineReason, RunState } from '@copydesk/domain/invoices';
import { formatCount } from '../../../lib/format/numbers.ts';
import type { Tone } from '../../../ui/feedback/badge.tsx';
import type { Run } from './runs-queries.ts';

export const RUN_STATES: Record<RunState, { label: string; tone: Tone }> = {
  preparing: { label: 'Preparing', tone: 'neutral' },
  draft: { label: 'Draft', tone: 'caution' },
  running: { label: 'Running', tone: 'neutral' },
  sending: { label: 'Running', tone: 'neutral' },
  done: { label: 'Done', tone: 'positive' },
  discarded: { label: 'Discarded', tone: 'neutral' },
};

/** What a run does to traders, before and after it. */
export const OUTCOME_LABELS: Record<LineOutcome, string> = {
  invoice: 'To invoice',
  excluded: 'Left out by hand',
  carried: 'Below the minimum',
  left_out: 'Not invoiced',
};
export const outcomeLabel = (outcome: LineOutcome, { state }: Pick<Run, 'state'>): string =>
  outcome === 'invoice' && (state === 'done' || state === 'running') ? 'Invoiced' : OUTCOME_LABELS[outcome];

export const REASONS: Record<LineReason, string> = {
  split_exceeds_invoice: 'The shares exceed the invoice',
  no_deposit_address: 'No deposit address',
  failed: 'Something went wrong',
  unknown_profit: 'Some profit has no known USD value and was not invoiced',
  changed: 'Due something else than the draft showed: left to the next run',
  invoicing_off: 'Invoicing of the provider is off',
  nothing_due: 'Nothing is due, also after deductions',
};

export const invoicesWord = (n: number) => `${formatCount(n)} ${n === 1 ? 'invoice' : 'invoices'}`;
export const TRADERS = ['trader', 'traders'] as const;
export const tradersWord = (n: number) => `${formatCount(n)} ${n === 1 ? 'trader' : 'traders'}`;

/** Whom a run is about. */
export const reachOf = ({
  trader_id: traderId,
  trader,
  community_id: communityId,
  community,
}: Run): string => {
  if (traderId) return trader ?? 'A deleted trader';
  return communityId ? (community ?? 'A deleted community') : 'All traders';
};
