import { Link } from '@tanstack/react-router';
import { Address } from '../../../ui/figures/address.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import type { PoolMember } from '../pools-queries.ts';
import { memberName, shareWords } from './pool-texts.ts';

export function MemberLink({ trader }: { trader: PoolMember['trader'] }) {
  return (
    <Link
      to="/trader/$traderId"
      params={{ traderId: trader.id }}
      className="block w-fit max-w-full truncate rounded font-medium hover:text-accent hover:underline"
    >
      {memberName(trader)}
    </Link>
  );
}

/** Most members have none: zeros recede. */
function Lesser({ amount }: { amount: string }) {
  return <Money as="floored" amount={amount} className={/[1-9]/.test(amount) ? '' : 'text-muted'} />;
}

const SHARE: PlainColumn<PoolMember> = {
  id: 'share',
  header: 'Share',
  width: '9%',
  align: 'end',
  cell: ({ share_percentage }) => (share_percentage === null ? 'N/A' : shareWords(share_percentage)),
};

/** @param onWithdraw for callers who see the whole pool, and with it the shares; null for staff */
export function memberColumns(
  onWithdraw: ((member: PoolMember) => void) | null,
): readonly PlainColumn<PoolMember>[] {
  const withdraw: PlainColumn<PoolMember> = {
    id: 'withdraw',
    header: 'Act',
    width: '12%',
    align: 'end',
    onCard: 'line',
    cell: (member) =>
      /[1-9]/.test(member.virtual_balance) && onWithdraw ? (
        <Button className="h-7!" onClick={() => onWithdraw(member)}>
          Withdraw
        </Button>
      ) : null,
  };
  return [
    {
      id: 'trader',
      header: 'Trader',
      width: '22%',
      onCard: 'lead',
      cell: ({ trader }) => <MemberLink trader={trader} />,
    },
    {
      id: 'balance',
      header: 'Virtual Balance',
      width: '16%',
      align: 'end',
      cell: ({ virtual_balance }) => <Money as="floored" amount={virtual_balance} className="font-medium" />,
    },
    ...(onWithdraw ? [SHARE] : []),
    {
      id: 'pending',
      header: 'Pending',
      width: '12%',
      align: 'end',
      cell: ({ pending_deposits }) => <Lesser amount={pending_deposits} />,
    },
    {
      id: 'carry',
      header: 'Loss Carried',
      width: '13%',
      align: 'end',
      cell: ({ carry }) => <Lesser amount={carry} />,
    },
    {
      id: 'address',
      header: 'Deposit Address',
      width: '16%',
      align: 'end',
      onCard: 'line',
      cell: ({ deposit_address, trader }) =>
        deposit_address ? (
          <Address address={deposit_address} what={`deposit address of ${memberName(trader)}`} />
        ) : (
          <span className="text-muted">Not assigned</span>
        ),
    },
    {
      id: 'joined',
      header: 'Joined',
      width: '12%',
      align: 'end',
      cell: ({ joined_at }) => <When at={joined_at} as="day" />,
    },
    ...(onWithdraw ? [withdraw] : []),
  ];
}
