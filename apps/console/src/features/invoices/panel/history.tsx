import { Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import type { InvoiceDetail } from './invoice-query.ts';

const WORDS: Record<InvoiceDetail['history'][number]['kind'], string> = {
  created: 'Created',
  paid: 'Paid in',
  paid_by_pool: 'Paid by the pool',
  discounted: 'Reduced by a coupon',
  settled_by_hand: 'Marked as paid, off-platform',
  marked_unpaid: 'Marked as unpaid',
  payment_taken_back: 'Payment reversed',
  cancelled: 'Cancelled',
  recalled: 'Recalled: what it charged is due again',
  archived: 'Archived',
  unarchived: 'Restored',
};

/** The history of an invoice, with the person behind each entry. */
export function History({ history }: Pick<InvoiceDetail, 'history'>) {
  return (
    <ol aria-label="History" className="space-y-2">
      {history.map(({ at, kind, actor_name, amount }) => (
        <li key={`${at} ${kind}`} className="flex items-start justify-between gap-3">
          <span className="min-w-0">
            <span className="block">
              {WORDS[kind]}
              {amount !== null && (
                <span className="font-medium tabular-nums">
                  {' '}
                  <Money amount={amount} as="usd" />
                </span>
              )}
            </span>
            {actor_name && (
              <span className="block truncate text-xs text-muted">
                by <Name plain="The history has names without ids">{actor_name}</Name>
              </span>
            )}
          </span>
          <When at={at} className="shrink-0 text-xs leading-5 text-muted" />
        </li>
      ))}
    </ol>
  );
}
