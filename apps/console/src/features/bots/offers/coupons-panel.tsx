import { useQuery } from '@tanstack/react-query';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import Trash2 from 'lucide-react/icons/trash-2';
import { useMemo, useState } from 'react';
import { State } from '../../../ui/feedback/state.tsx';
import { MenuItem } from '../../../ui/form/menu.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import { type Coupon, couponsQuery, type Plan, plansQuery } from '../bot-queries.ts';
import { couponState, discountWords, limitWords, periodWords, usesWords } from '../bot-texts.ts';
import { DeleteOfferDialog } from './delete-offer-dialog.tsx';
import { NewCouponDialog } from './new-coupon-dialog.tsx';
import { OffersPanel } from './offers-panel.tsx';

const STATES = {
  scheduled: <State tone="neutral">Scheduled</State>,
  valid: null,
  ended: <State tone="neutral">Ended</State>,
};

function columnsOf(
  plans: readonly Plan[] | undefined,
  onDelete: (coupon: Coupon) => void,
): readonly PlainColumn<Coupon>[] {
  const names = plans && new Map(plans.map(({ id, name }) => [id, name]));
  const plansWords = ({ plan_ids: ids }: Coupon) => {
    if (ids.length === 0) return 'Every plan';
    // Before the plans are read, a missing name says nothing about the plan.
    if (!names) return `${ids.length} ${ids.length === 1 ? 'plan' : 'plans'}`;
    return ids.map((id) => names.get(id) ?? 'A deleted plan').join(', ');
  };
  return [
    {
      id: 'code',
      header: 'Code',
      width: '21%',
      onCard: 'lead',
      cell: (coupon) => (
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-mono font-medium" title={coupon.code}>
            {coupon.code}
          </span>
          {STATES[couponState(coupon, new Date())]}
        </span>
      ),
    },
    {
      id: 'discount',
      header: 'Discount',
      width: '14%',
      cell: (coupon) => <span className="tabular-nums">{discountWords(coupon)}</span>,
    },
    {
      id: 'plans',
      header: 'Plans',
      width: '11%',
      cell: (coupon) => (
        <span className="block truncate" title={plansWords(coupon)}>
          {plansWords(coupon)}
        </span>
      ),
    },
    {
      id: 'period',
      header: 'Valid (UTC)',
      width: '27%',
      onCard: 'line',
      cell: (coupon) => (
        <span className="block truncate tabular-nums" title={periodWords(coupon)}>
          {periodWords(coupon)}
        </span>
      ),
    },
    {
      id: 'uses',
      header: 'Used',
      width: '9%',
      align: 'end',
      cell: usesWords,
    },
    {
      id: 'each',
      header: 'Per Person',
      width: '10%',
      align: 'end',
      cell: ({ max_uses_per_user }) => limitWords(max_uses_per_user),
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '8%',
      align: 'end',
      onCard: 'end',
      cell: (coupon) => (
        <RowMenu of={coupon.code}>
          <MenuItem icon={Trash2} text="Delete" onSelect={() => onDelete(coupon)} />
        </RowMenu>
      ),
    },
  ];
}

/** The discounts of a bot. */
export function CouponsPanel({ botId }: { botId: string }) {
  const query = useQuery(couponsQuery(botId));
  const plans = useQuery(plansQuery(botId)).data;
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<Coupon | null>(null);
  const columns = useMemo(() => columnsOf(plans, setDeleted), [plans]);
  return (
    <OffersPanel
      title="Coupons"
      query={query}
      isEmpty={query.data?.length === 0}
      empty={{
        icon: TicketPercent,
        title: 'No coupons',
        text: 'A coupon takes a percentage or an amount off the price of plans.',
      }}
      add="New coupon"
      onAdd={() => setAdding(true)}
      dialog={
        <>
          {isAdding && <NewCouponDialog botId={botId} plans={plans ?? []} onClose={() => setAdding(false)} />}
          {deleted && (
            <DeleteOfferDialog
              offer="coupon"
              id={deleted.id}
              name={deleted.code}
              onClose={() => setDeleted(null)}
            />
          )}
        </>
      }
    >
      <PlainTable
        label="Coupons"
        columns={columns}
        rows={query.data ?? []}
        keyOf={({ id }) => id}
        dimmedOf={(coupon) => couponState(coupon, new Date()) === 'ended'}
      />
    </OffersPanel>
  );
}
