import type { AccountState } from '@copydesk/domain/trading';
import { Link } from '@tanstack/react-router';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { exchangeName } from '../../lib/format/exchange-name.ts';
import { fullTime } from '../../lib/format/read-time.ts';
import type { RowSelecting } from '../../lib/list/row-selection.ts';
import type { Tone } from '../../ui/feedback/badge.tsx';
import { State } from '../../ui/feedback/state.tsx';
import { CopyButton } from '../../ui/figures/copy-button.tsx';
import { Name } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { SelectBox } from '../../ui/list/select-column.tsx';
import { BELOW, LINES } from '../../ui/table/cell-lines.ts';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { causeOf, STATE_LABELS } from './account-texts.ts';
import type { ListedAccount } from './accounts-queries.ts';

const TONES: Record<AccountState, Tone> = {
  failing: 'negative',
  unread: 'neutral',
  new: 'neutral',
  read: 'positive',
};

/** Its moment has come. */
const isDue = (at: string) => Date.parse(at) <= Date.now();

function Cause(account: ListedAccount) {
  const words = causeOf(account);
  const { key_ends_at: end, state } = account;
  if (end && state !== 'failing')
    return (
      <span className="block text-pretty whitespace-normal md:py-1.5">
        {isDue(end) ? 'The exchange was to end its key' : 'The exchange ends its key'} <When at={end} />.{' '}
        <span className={BELOW}>The trader makes a new one, and it is put in place of this one.</span>
      </span>
    );
  if (!words) return null;
  return (
    <span className="block text-pretty whitespace-normal md:py-1.5">
      {words.cause} <span className={BELOW}>{words.act}</span>
    </span>
  );
}

function Since({ since, equity_read_at: readAt, next_read_at: next }: ListedAccount) {
  return (
    <span className={LINES}>
      {since && (
        <When at={since} as="ago" title={`${readAt ? 'Last read' : 'Connected'}: ${fullTime(since)}`} />
      )}{' '}
      <span className={BELOW}>
        {next === null ? (
          'Being read'
        ) : isDue(next) ? (
          'Due now'
        ) : (
          <>
            Next try <When at={next} />
          </>
        )}
      </span>
    </span>
  );
}

function AccountName({ exchange, acc_uid: accUid, may_withdraw: mayWithdraw }: ListedAccount) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className={`min-w-0 ${LINES}`}>
        {exchangeName(exchange)}{' '}
        <span className="block truncate font-mono text-xs text-muted" title={accUid}>
          {accUid}
        </span>
      </span>
      <CopyButton what={`account id ${accUid}`} getText={() => accUid} isQuiet />
      {mayWithdraw && (
        <span title="Its key allows withdrawals" className="shrink-0 text-caution">
          <TriangleAlert className="size-3.5" aria-hidden="true" />
          <span className="sr-only">Its key allows withdrawals</span>
        </span>
      )}
    </span>
  );
}

/**
 * @param selecting null: the caller may have no account read; it selects traders, whose accounts are read together
 */
export const accountColumns = (
  selecting: RowSelecting | null,
): readonly PlainColumn<ListedAccount, string>[] => [
  ...(selecting
    ? [
        {
          id: 'select',
          header: 'Selection',
          headerCell: (
            <Checkbox
              label="Select all that match"
              checked={selecting.selection.isAll && selecting.selection.ids.size === 0}
              isPartial={selecting.selection.isAll || selecting.selection.ids.size > 0}
              onChange={(isOn) => (isOn ? selecting.selectAll() : selecting.clear())}
            />
          ),
          width: '4%',
          isFixed: true,
          onCard: 'lead' as const,
          cell: ({ trader_id: id, trader }: ListedAccount) => (
            <span className="inline-flex align-middle">
              <SelectBox id={id} name={trader} selecting={selecting} tabIndex={0} />
            </span>
          ),
        },
      ]
    : []),
  {
    id: 'trader',
    header: 'Trader',
    width: '13%',
    isPinned: true,
    onCard: 'lead',
    cell: ({ trader, trader_id: traderId }) => (
      <bdi className="block truncate" title={trader}>
        <Name to={{ to: '/trader/$traderId', params: { traderId } }}>{trader}</Name>
      </bdi>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '7%',
    onCard: 'end',
    cell: ({ state }) => <State tone={TONES[state]}>{STATE_LABELS[state]}</State>,
  },
  { id: 'cause', header: 'Cause', width: '41%', onCard: 'line', cell: (account) => <Cause {...account} /> },
  {
    id: 'unread_for',
    header: 'Since',
    width: '15%',
    sortable: true,
    onCard: 'line',
    cell: (account) => <Since {...account} />,
  },
  {
    id: 'account',
    header: 'Account',
    width: '13.5%',
    onCard: 'line',
    cell: (account) => <AccountName {...account} />,
  },
  {
    id: 'community',
    header: 'Community',
    width: '13%',
    onCard: 'line',
    cell: ({ community, provider_name: provider }) => (
      <span className={LINES}>
        <bdi className="block truncate" title={community}>
          {community}
        </bdi>{' '}
        <bdi className={`${BELOW} truncate`} title={provider}>
          {provider}
        </bdi>
      </span>
    ),
  },
  {
    id: 'equity',
    header: 'Equity',
    width: '8%',
    align: 'end',
    sortable: true,
    cell: ({ equity }) => <Money as="equity" amount={equity} />,
  },
  {
    id: 'act',
    header: 'Keys',
    headerCell: <span className="sr-only">Keys</span>,
    width: '8%',
    align: 'end',
    isFixed: true,
    onCard: 'line',
    cell: ({ trader, trader_id: traderId }) => (
      <Link
        to="/trader/$traderId"
        params={{ traderId }}
        aria-label={`Open keys of ${trader}`}
        className="inline-flex h-7 items-center rounded-md border border-line-strong bg-surface px-2.5 font-medium whitespace-nowrap hover:bg-hover"
      >
        Open
      </Link>
    ),
  },
];
