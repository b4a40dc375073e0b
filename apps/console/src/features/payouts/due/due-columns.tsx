import { formatCount } from '../../../lib/format/numbers.ts';
import { Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { LINES } from '../../../ui/table/cell-lines.ts';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { sharesWord } from '../payout-texts.ts';
import type { DueOfCommunity } from '../payouts-queries.ts';

const BELOW = 'block text-xs text-pretty whitespace-normal text-muted';

const HOLDS: Readonly<Record<DueOfCommunity['held']['reasons'][number], string>> = {
  address_changed: 'changed addresses',
  referrer_set: 'new referrers',
  deposit_frozen: 'frozen deposit addresses',
  not_checked: 'imports that are not checked against the chain yet',
};

/** Why some of it cannot be paid now. */
function NotNow({ held, unaddressed }: DueOfCommunity) {
  return (
    <span className={LINES}>
      {held.count > 0 && (
        <>
          <Money amount={held.amount} as="bareCents" className="text-caution" />{' '}
          <span className={BELOW}>Held: {held.reasons.map((reason) => HOLDS[reason]).join(', ')}</span>
        </>
      )}
      {unaddressed.count > 0 && (
        <>
          <Money amount={unaddressed.amount} as="bareCents" className="text-caution" />{' '}
          <span className={BELOW}>No payout address</span>
        </>
      )}
    </span>
  );
}

interface DueHands {
  /** Communities that are paid together, by id. */
  selected: ReadonlySet<string>;
  /** Ticks or unticks the boxes of some or all. */
  onSelect(ids: readonly string[], isOn: boolean): void;
  onDistribute(community: DueOfCommunity['community']): void;
}

/** Something of it can be paid now. */
export const isPayable = ({ payable }: DueOfCommunity) => payable.count > 0;

export const dueColumns = (
  rows: readonly DueOfCommunity[],
  { selected, onSelect, onDistribute }: DueHands,
): readonly PlainColumn<DueOfCommunity>[] => [
  {
    id: 'select',
    header: 'Selection',
    headerCell: (
      <Checkbox
        label="Select all that can be paid"
        checked={selected.size > 0 && rows.every((due) => !isPayable(due) || selected.has(due.community.id))}
        isPartial={selected.size > 0}
        onChange={(isOn) =>
          onSelect(
            rows.filter(isPayable).map(({ community }) => community.id),
            isOn,
          )
        }
      />
    ),
    width: '4%',
    onCard: 'lead',
    cell: (due) =>
      isPayable(due) && (
        <Checkbox
          label={`Select ${due.community.name}`}
          checked={selected.has(due.community.id)}
          onChange={(isOn) => onSelect([due.community.id], isOn)}
        />
      ),
  },
  {
    id: 'community',
    header: 'Community',
    width: '17%',
    onCard: 'lead',
    cell: ({ community: { id, name, is_archived: isArchived } }) => (
      <span className="block md:py-1">
        <bdi className="block truncate" title={name}>
          <Name
            to={{
              to: '/community-settings/$communityId',
              params: { communityId: id },
              search: { tab: 'money' },
            }}
          >
            {name}
          </Name>
        </bdi>
        {isArchived && <span className={BELOW}>Archived</span>}
      </span>
    ),
  },
  {
    id: 'owed',
    header: 'Owed (USDT)',
    width: '13%',
    align: 'end',
    onCard: 'end',
    cell: ({ amount, count }) => (
      <span className="block md:py-1">
        <Money amount={amount} as="bareCents" className="font-medium" />{' '}
        <span className={BELOW}>{sharesWord(count)}</span>
      </span>
    ),
  },
  {
    id: 'payable',
    header: 'Payable now',
    width: '12%',
    align: 'end',
    cell: ({ payable }) => <Money amount={payable.amount} as="bareCents" />,
  },
  {
    id: 'held',
    header: 'Not now',
    width: '19%',
    onCard: 'line',
    cell: (due) => (due.held.count + due.unaddressed.count > 0 ? <NotNow {...due} /> : null),
  },
  {
    id: 'oldest',
    header: 'Oldest share',
    width: '11%',
    onCard: 'line',
    cell: ({ oldest_at: at }) => <When at={at} as="ago" />,
  },
  {
    id: 'last',
    header: 'Last distribution',
    width: '14%',
    onCard: 'line',
    cell: ({ last_distribution: last, awaiting }) => (
      <span className={LINES}>
        {last ? <When at={last.created_at} as="ago" /> : 'None on record'}{' '}
        {awaiting && (
          <span className="block text-xs text-pretty whitespace-normal text-caution">
            <Money amount={awaiting.amount} as="bareCents" />{' '}
            {awaiting.count === 1 ? 'waits' : `in ${formatCount(awaiting.count)} wait`} for another super
            admin
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'act',
    header: 'Act',
    headerCell: <span className="sr-only">Act</span>,
    width: '10%',
    align: 'end',
    onCard: 'line',
    cell: ({ community }) => (
      <Button
        className="h-7!"
        aria-label={`Distribute ${community.name}`}
        onClick={() => onDistribute(community)}
      >
        Distribute
      </Button>
    ),
  },
];
