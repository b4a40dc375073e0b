import { shortId } from '@copydesk/domain/money';
import { clsx } from 'clsx';
import { capitalised, typeWords } from '../../../lib/format/payout-texts.ts';
import { Address, WholeAddress } from '../../../ui/figures/address.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { AlignedMoney, Money } from '../../../ui/figures/money.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import type { Column } from '../../../ui/table/data-table/column.ts';
import type { LineColumn, Selection } from '../distribute/selection.ts';
import { PayoutStatusBadge } from '../history/payout-status-badge.tsx';
import { sharesWord } from '../payout-texts.ts';
import type { PaidRecipient, RecipientLine } from '../payouts-queries.ts';
import { PaidBefore } from './paid-before.tsx';

/** A line, and its payout. */
export type ShownLine = Omit<RecipientLine, 'payableCount'> & {
  payableCount?: number;
  id?: string | null;
  /** Which community owes it, where several do. */
  community?: string;
};
export type ShownColumn = LineColumn | 'tick' | 'status' | 'paid';

/** The options of a table of recipients beside the amounts owed. */
export interface RecipientHands {
  /** The number of roles of an address. */
  roles: ReadonlyMap<string, number>;
  /** Decimals that amounts leave room for, so that their points align. */
  places: number;
  /** Where the money is ordered: addresses are whole, to be compared. */
  isWhole: boolean;
  /** Several communities owe the amounts. */
  hasCommunity: boolean;
  /** Present where recipients are selected. */
  selection?: Selection;
  onToggle?(address: string): void;
  /** Present where payouts are followed: by id; undefined until known. */
  statusOf?(id: string): string | undefined;
  /** Present where the order is decided: what was paid to an address before. */
  paidOf?(address: string): PaidRecipient | undefined;
}

const tab = (isActive: boolean) => (isActive ? 0 : -1);

function Roles({ line, roles }: { line: ShownLine; roles: RecipientHands['roles'] }) {
  const count = roles.get(line.recipientAddress) ?? 1;
  if (count < 2) return null;
  return (
    <span
      title="One address with several roles: selected and paid together"
      className="rounded bg-subtle px-1.5 text-xs leading-5 text-muted"
    >
      <Count n={count} plain="Its rows are ticked together" /> roles
    </span>
  );
}

interface LinePartProps {
  line: ShownLine;
  hands: RecipientHands;
  isActive: boolean;
}

function Recipient({ line: { recipientAddress }, hands, isActive }: LinePartProps) {
  if (hands.isWhole) return <WholeAddress address={recipientAddress} />;
  return (
    <Address
      address={recipientAddress}
      what={`address ${shortId(recipientAddress)}`}
      tabIndex={tab(isActive)}
    />
  );
}

function Tick({ line, hands, isActive }: LinePartProps) {
  const { recipientAddress, recipientType } = line;
  return (
    <Checkbox
      label={`Select ${typeWords(recipientType)} ${shortId(recipientAddress)}`}
      checked={hands.selection?.has(recipientAddress) ?? false}
      tabIndex={tab(isActive)}
      onChange={() => hands.onToggle?.(recipientAddress)}
    />
  );
}

function Status({ line, hands }: { line: ShownLine; hands: RecipientHands }) {
  const status = line.id ? hands.statusOf?.(line.id) : undefined;
  return status === undefined ? (
    <span className="skeleton block h-3 w-16" />
  ) : (
    <PayoutStatusBadge status={status} />
  );
}

function Paid({ line, hands }: { line: ShownLine; hands: RecipientHands }) {
  const paid = hands.paidOf?.(line.recipientAddress);
  return paid && <PaidBefore paid={paid} />;
}

export function recipientColumns(
  hands: RecipientHands,
  hasShares: boolean,
): readonly Column<ShownLine, ShownColumn>[] {
  const columns: (Column<ShownLine, ShownColumn> | false | undefined)[] = [
    hands.selection && {
      id: 'tick',
      header: '',
      headerCell: <span className="sr-only">Selected</span>,
      track: '1rem',
      cell: (line, isActive) => <Tick line={line} hands={hands} isActive={isActive} />,
    },
    {
      id: 'address',
      header: 'Recipient',
      track: hands.isWhole ? 'minmax(26rem, 1fr)' : 'minmax(10.5rem, 1fr)',
      sortable: true,
      cell: (line, isActive) => (
        <span className="flex items-center gap-1.5">
          <Recipient line={line} hands={hands} isActive={isActive} />
          <Roles line={line} roles={hands.roles} />
        </span>
      ),
    },
    {
      id: 'type',
      header: hands.hasCommunity ? 'Type and community' : 'Recipient Type',
      track: hands.hasCommunity ? '14rem' : '9rem',
      sortable: true,
      cell: ({ recipientType, community }) => (
        <span className="block truncate" title={community}>
          {capitalised(typeWords(recipientType))}
          {community && (
            <>
              , <bdi>{community}</bdi>
            </>
          )}
        </span>
      ),
    },
    hands.statusOf && {
      id: 'status',
      header: 'Status',
      track: '8rem',
      cell: (line) => <Status line={line} hands={hands} />,
    },
    hands.paidOf && {
      id: 'paid',
      header: 'Paid before (USDT)',
      track: '13rem',
      cell: (line) => <Paid line={line} hands={hands} />,
    },
    hasShares && {
      id: 'shares',
      header: 'Shares',
      track: '4.5rem',
      align: 'end',
      sortable: true,
      cell: ({ payableCount = 0 }) => <Count n={payableCount} plain="No list has payables" />,
    },
    {
      id: 'amount',
      header: 'Amount (USDT)',
      track: '8.5rem',
      align: 'end',
      sortable: true,
      cell: ({ amount }) => <AlignedMoney amount={amount} places={hands.places} />,
    },
  ];
  return columns.filter((column) => column !== false && column !== undefined);
}

/** A whole address takes lines more, and so does what was paid before. */
export const cardPx = ({ isWhole, paidOf }: RecipientHands) => (isWhole ? 113 : 73) + (paidOf ? 20 : 0);

/** A recipient at phone width. */
export function recipientCard(hands: RecipientHands) {
  return (line: ShownLine, isActive: boolean) => (
    <span className="flex gap-3">
      {hands.selection && (
        <span className="flex h-6 items-center">
          <Tick line={line} hands={hands} isActive={isActive} />
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className={clsx('flex justify-between gap-2', hands.isWhole ? 'h-16' : 'h-6 items-center')}>
          <Recipient line={line} hands={hands} isActive={isActive} />
          <Money amount={line.amount} as="bare" className="shrink-0 font-medium" />
        </span>
        <span className="flex h-6 items-center justify-between gap-2 text-xs text-muted">
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="truncate">
              {capitalised(typeWords(line.recipientType))}
              {line.community && (
                <>
                  , <bdi>{line.community}</bdi>
                </>
              )}
            </span>
            <Roles line={line} roles={hands.roles} />
          </span>
          {hands.statusOf ? (
            <Status line={line} hands={hands} />
          ) : (
            !hands.paidOf &&
            line.payableCount !== undefined && (
              <span className="shrink-0 tabular-nums">{sharesWord(line.payableCount)}</span>
            )
          )}
        </span>
        {hands.paidOf && (
          <span className="block h-5 truncate text-xs text-muted">
            Paid before: <Paid line={line} hands={hands} />
          </span>
        )}
      </span>
    </span>
  );
}
