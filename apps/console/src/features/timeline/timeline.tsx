import { TIMELINE_MOST, type TimelineSubject } from '@copydesk/domain/timeline';
import { keepPreviousData, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import CircleX from 'lucide-react/icons/circle-x';
import { useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Count, Name } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { TxLink } from '../../ui/figures/tx-link.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { PanelSection } from '../../ui/layout/panel-section.tsx';
import {
  actorWords,
  type Expected,
  eventProblem,
  eventWords,
  type Happened,
  otherwiseWords,
  stepWords,
  type Timeline,
  waitsForWords,
} from './timeline-texts.ts';

/** Events shown at first. */
const FEW = 15;
/** What the system and the chain do next raises no event of the subject. */
const READ_AGAIN_MS = 10_000;

const timelineQuery = (kind: TimelineSubject, id: string, limit: number, under: QueryKey) =>
  queryOptions({
    queryKey: [...under, 'timeline', kind, id, limit],
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/timeline', {
          query: { subject_kind: kind, subject_id: id, limit: String(limit) },
          signal,
        })
      ).data,
    refetchInterval: ({ state }) =>
      state.data?.expected.some(({ waits_for }) => waits_for === 'system' || waits_for === 'chain')
        ? READ_AGAIN_MS
        : false,
  });

interface TimelineProps {
  kind: TimelineSubject;
  id: string;
  /** Read again with the queries under this key: those of the subject. */
  under: QueryKey;
  /** As the screen around it writes amounts. */
  money: 'usd' | 'usdt';
  explorerUrl: string;
}

/** The story of the money of something: what is expected next, and what happened, latest first. */
function TimelineOf({ kind, id, under, money, explorerUrl }: TimelineProps) {
  const [limit, setLimit] = useState(FEW);
  const { data, error, refetch, isPlaceholderData } = useQuery(timelineQuery(kind, id, limit, under));
  return (
    <QueryState
      small
      error={error && !data ? { title: 'The timeline could not be loaded', message: messageOf(error) } : null}
      onRetry={() => void refetch()}
      isLoading={!data}
      loading={<Loading text="Loading timeline..." />}
      isEmpty={data?.event_count === 0 && data.expected.length === 0}
      empty={<p className="text-muted">Nothing is on record yet.</p>}
    >
      {data && (
        <>
          <Next expected={data.expected} />
          <Story timeline={data} money={money} explorerUrl={explorerUrl} />
          {data.event_count > data.events.length && limit === FEW && (
            <Button
              look="quiet"
              className="mt-1"
              aria-disabled={isPlaceholderData}
              onClick={() => setLimit(TIMELINE_MOST)}
            >
              Show earlier events
            </Button>
          )}
        </>
      )}
    </QueryState>
  );
}

/** In a side panel. */
export const TimelineSection = (props: TimelineProps) => (
  <PanelSection title="Timeline">
    <TimelineOf {...props} />
  </PanelSection>
);

/** On a page. */
export const TimelinePanel = (props: TimelineProps) => (
  <Panel title="Timeline">
    <TimelineOf {...props} />
  </Panel>
);

/** For people first. */
function Next({ expected }: { expected: readonly Expected[] }) {
  if (expected.length === 0) return null;
  return (
    <ul aria-label="Expected next" className="mb-3 space-y-2 rounded-md bg-subtle px-3 py-2">
      {expected.map((step) => (
        <li key={step.kind}>
          <span className="flex items-start justify-between gap-3">
            <span className="min-w-0 font-medium">{stepWords(step)}</span>
            {step.at && <When at={step.at} className="shrink-0 text-xs leading-5 text-muted" />}
          </span>
          <span className="block text-xs text-muted">
            {waitsForWords(step)}. {otherwiseWords(step)}
          </span>
        </li>
      ))}
    </ul>
  );
}

const STATES = {
  done: { icon: CircleCheck, look: 'text-positive' },
  under_way: { icon: CircleDashed, look: 'text-muted' },
  unknown: { icon: CircleQuestionMark, look: 'text-caution' },
  failed: { icon: CircleX, look: 'text-negative' },
} as const;

interface StoryProps extends Pick<TimelineProps, 'money' | 'explorerUrl'> {
  timeline: Timeline;
}

function Story({ timeline: { events, event_count }, money, explorerUrl }: StoryProps) {
  return (
    <>
      <ol aria-label="What happened, latest first" className="space-y-2.5">
        {events.map((event) => (
          <li key={keyOf(event)} className="flex items-start gap-2">
            <StateIcon state={event.state} />
            <span className="min-w-0 flex-1">
              <span className="block">
                {eventWords(event)}
                {event.amount !== null && (
                  <span className="font-medium">
                    {' '}
                    <Money amount={event.amount} as={money} />
                  </span>
                )}
              </span>
              {event.state === 'unknown' && <Badge tone="caution">Outcome not known yet</Badge>}
              <By event={event} explorerUrl={explorerUrl} />
              <Problem event={event} />
            </span>
            <When at={event.at} className="shrink-0 text-xs leading-5 text-muted" />
          </li>
        ))}
      </ol>
      {event_count > events.length && events.length >= TIMELINE_MOST && (
        <p className="mt-2 text-xs text-muted">
          The latest <Count n={events.length} plain="They are above" /> of{' '}
          <Count n={event_count} plain="Earlier ones are not listed here" />
        </p>
      )}
    </>
  );
}

const keyOf = ({ at, kind, subject, transaction_hash, amount, state }: Happened) =>
  [at, kind, subject?.id, transaction_hash, amount, state].join();

function StateIcon({ state }: { state: Happened['state'] }) {
  const { icon: Icon, look } = STATES[state];
  return <Icon aria-hidden="true" className={clsx('mt-0.5 size-4 shrink-0', look)} />;
}

/** Who did it, in which transaction, and what it is about. */
function By({ event, explorerUrl }: { event: Happened; explorerUrl: string }) {
  const { actor_name, transaction_hash, subject, kind } = event;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 text-xs text-muted">
      <span className="min-w-0 truncate">
        by{' '}
        {actor_name === null ? (
          actorWords(event)
        ) : (
          <Name plain="Facts have names without ids">{actor_name}</Name>
        )}
      </span>
      {transaction_hash && (
        <TxLink
          hash={transaction_hash}
          what={kind === 'payment_arrived' ? 'Payment' : 'Its'}
          explorerUrl={explorerUrl}
        />
      )}
      {subject?.kind === 'payout' && (
        <Link
          to="/transaction-history"
          search={{ payout: subject.id }}
          className="rounded text-accent hover:underline"
        >
          Payout
        </Link>
      )}
      {subject?.kind === 'invoice' && (
        <Link
          to="/invoices/$invoiceId"
          params={{ invoiceId: subject.id }}
          className="rounded text-accent hover:underline"
        >
          Invoice
        </Link>
      )}
    </span>
  );
}

function Problem({ event }: { event: Happened }) {
  const problem = eventProblem(event);
  if (problem === null) return null;
  return (
    <span className={clsx('block text-xs', event.state === 'failed' ? 'text-negative' : 'text-muted')}>
      {problem}
    </span>
  );
}
