import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import HandCoins from 'lucide-react/icons/hand-coins';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { fullTime } from '../../../lib/format/read-time.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { AwaitingNotice } from '../approval/awaiting-notice.tsx';
import { payoutsWord } from '../payout-texts.ts';
import { type Distribution, distributionsQuery } from '../payouts-queries.ts';
import { StandstillNotice } from './standstill-notice.tsx';
import { stateNotes } from './state-notes.ts';

/** Rows per page. */
export const PAGE_ROWS = 5;

const STATES = {
  awaiting_approval: { tone: 'caution', words: 'Awaiting approval' },
  approved: { tone: 'neutral', words: 'Approved' },
  declined: { tone: 'negative', words: 'Declined' },
  ordered: { tone: 'neutral', words: 'Ordered' },
  under_way: { tone: 'accent', words: 'Under way' },
  done: { tone: 'positive', words: 'Done' },
  needs_attention: { tone: 'caution', words: 'Needs attention' },
} as const;

/** The progress, and any difference from the order. */
function Progress({ distribution }: { distribution: Distribution }) {
  const { tone, words } = STATES[distribution.progress ?? distribution.state];
  const notes = stateNotes(distribution);
  return (
    <span className="block">
      <State tone={tone}>{words}</State>
      {notes.map((note) => (
        <span key={note} className="block text-xs whitespace-normal text-muted tabular-nums">
          {note}
        </span>
      ))}
    </span>
  );
}

/** The person who approved or declined it. */
function DecidedBy({ distribution: { state, decided_by, decided_at } }: { distribution: Distribution }) {
  if (decided_by === null)
    return <span className="text-muted">{state === 'approved' ? 'Not needed' : 'Not yet'}</span>;
  return <span title={decided_at ? fullTime(decided_at) : undefined}>{decided_by}</span>;
}

const COLUMNS: readonly PlainColumn<Distribution>[] = [
  {
    id: 'at',
    header: 'When',
    width: '18%',
    onCard: 'lead',
    cell: ({ created_at }) => <When at={created_at} />,
  },
  {
    id: 'by',
    header: 'Requested by',
    width: '19%',
    cell: ({ requested_by }) => (
      <span className="block truncate" title={requested_by}>
        {requested_by}
      </span>
    ),
  },
  {
    id: 'decided',
    header: 'Decided by',
    width: '19%',
    cell: (distribution) => <DecidedBy distribution={distribution} />,
  },
  {
    id: 'amount',
    header: 'Total (USDT)',
    width: '17%',
    align: 'end',
    cell: ({ total_amount }) => <Money amount={total_amount} as="bare" className="font-medium" />,
  },
  {
    id: 'payouts',
    header: 'Payouts',
    width: '10%',
    align: 'end',
    cell: ({ id, payout_count }) => (
      <Link
        to="/transaction-history"
        search={{ distribution: id }}
        aria-label={`${payoutsWord(payout_count)}, show in Transaction History`}
        className="rounded text-accent hover:underline"
      >
        {formatCount(payout_count)}
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '17%',
    onCard: 'end',
    cell: (distribution) => <Progress distribution={distribution} />,
  },
];

/** The distributions of a community, requested or paid, newest first. */
export function DistributionsPanel({ communityId }: { communityId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    distributionsQuery(communityId, page, PAGE_ROWS),
  );
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  return (
    <Panel title="Distributions" count={data && total} flush>
      <QueryState
        small
        error={
          error && !data
            ? { title: 'The distributions could not be loaded', message: messageOf(error) }
            : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<Loading text="Loading distributions..." />}
        isEmpty={total === 0}
        empty={
          <MessagePanel
            icon={HandCoins}
            level={3}
            small
            title="No distributions yet"
            text="Distributions of this community appear here"
          />
        }
      >
        <AwaitingNotice communityId={communityId} />
        {data?.data.map((distribution) => (
          <StandstillNotice key={distribution.id} distribution={distribution} isNamed />
        ))}
        <PlainTable
          label="Distributions, newest first"
          columns={COLUMNS}
          rows={data?.data ?? []}
          keyOf={({ id }) => id}
          isStale={isPlaceholderData}
        />
        {total > PAGE_ROWS && (
          <Pager
            label="Pages of distributions"
            page={page}
            pageRows={PAGE_ROWS}
            total={total}
            onChange={setPage}
          />
        )}
      </QueryState>
    </Panel>
  );
}
