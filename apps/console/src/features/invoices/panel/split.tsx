import type { RecipientType } from '@copydesk/domain/catalogue';
import { shownParts } from '@copydesk/domain/money';
import { clsx } from 'clsx';
import { percentWords } from '../../../lib/format/figures.ts';
import { Money } from '../../../ui/figures/money.tsx';
import type { InvoiceDetail } from './invoice-query.ts';

const RECIPIENTS: Record<RecipientType, string> = {
  mark: 'Mark',
  community: 'Community',
  community_referrer: 'Community referrer',
  trader_referrer: 'Trader referrer',
  hexmount: 'Hexmount',
  sixk: 'Sixk',
  tip: 'Tip',
};
const STATES = {
  due: 'Awaiting payout',
  in_payout: 'In a payout',
  paid: 'Paid out',
} as const;

/** Why a share is not payable. */
const FROZEN = {
  pending: 'Awaits payment',
  paid: 'Off-platform',
  cancelled: 'Cancelled',
} as const;

/** The recipients of an invoice's shares, and the state of each share. */
export function Split({ invoice }: { invoice: InvoiceDetail }) {
  // A tip is not part of the invoice.
  const parts = invoice.split.filter((share) => share.recipient_type !== 'tip');
  const shown = shownParts(parts.map((share) => share.amount));
  const amounts = new Map(parts.map((share, index) => [share, shown[index]]));
  const shares = sharesOfWhole(
    parts.map(({ amount }) => amount),
    invoice.amount,
  );
  const percentOf = (share: InvoiceDetail['split'][number]) =>
    shares[parts.indexOf(share)] ?? sharesOfWhole([share.amount], invoice.amount)[0];
  return (
    <ul aria-label="Split" className="space-y-2">
      {invoice.split.map((share) => {
        const percent = percentOf(share);
        return (
          <li key={share.recipient_type}>
            <div className="flex items-baseline justify-between gap-3">
              <span>
                {RECIPIENTS[share.recipient_type]}
                <span className="text-xs text-muted tabular-nums"> {percent?.text}</span>
              </span>
              <Money amount={amounts.get(share) ?? share.amount} as="usd" className="font-medium" />
            </div>
            <div className="mt-1 flex items-center gap-3">
              <span aria-hidden="true" className="h-1 min-w-0 flex-1 overflow-hidden rounded-full bg-subtle">
                <span
                  className={clsx(
                    'block h-full rounded-full',
                    share.state === 'frozen' ? 'bg-line-strong' : 'bg-accent',
                  )}
                  style={{ width: `${percent?.width ?? 0}%` }}
                />
              </span>
              <span
                title={share.recipient_address ?? undefined}
                className="w-28 shrink-0 text-end text-xs text-muted"
              >
                {share.state === 'frozen' ? FROZEN[invoice.status] : STATES[share.state]}
              </span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/**
 * Parts of a whole for bars and their labels, in tenths of a percent by largest remainder: labels of parts that make up
 * the whole sum to 100 %. A tip is not part of the whole and has a share of its own. For display only: money is not
 * computed here.
 */
export function sharesOfWhole(parts: readonly string[], whole: string): { width: number; text: string }[] {
  const exact = parts.map((part) => (Number(whole) > 0 ? (Number(part) / Number(whole)) * 1_000 : 0));
  const tenths = exact.map(Math.floor);
  const missing = Math.round(sum(exact)) - sum(tenths);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, missing)) tenths[index] = (tenths[index] ?? 0) + 1;
  return tenths.map((tenth, index) => ({
    width: Math.min(100, Math.max(0, (exact[index] ?? 0) / 10)),
    text: percentWords(tenth / 10),
  }));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
