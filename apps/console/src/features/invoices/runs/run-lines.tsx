import { useEffect, useMemo, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { State } from '../../../ui/feedback/state.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Count, Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { useSend } from '../../../ui/form/use-act.ts';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { invoicesKeys } from '../invoices-keys.ts';
import type { LinesFilters } from './run-lines-search.ts';
import { OUTCOME_LABELS, outcomeLabel, REASONS, tradersWord } from './run-texts.ts';
import { type Line, lineFilters, type Run } from './runs-queries.ts';

interface RunLinesProps {
  run: Run;
  lines: readonly Line[];
  isStale: boolean;
  exclusion: Exclusions;
}

type Exclusion = { excluded: boolean } & (
  | { trader_ids: string[] }
  | { matching: ReturnType<typeof lineFilters> }
);

/** Leaves traders out of a draft, or takes them in again: those that are ticked, or all that match. */
export function useExclusions(run: Run) {
  const exclude = useSend(
    (body: Exclusion) => call('PATCH /api/invoices/runs/{id}/lines', { params: { id: run.id }, body }),
    {
      done: () => null,
      reads: invoicesKeys.runs,
      onDone: () => undefined,
      onError: (error) => toast({ tone: 'negative', title: 'Not changed', text: error.message }),
    },
  );
  const ticking = useTicks(exclude);
  // Until run and traders are read again, the figures of one are older than those of the other.
  return { ...exclude, ticking, isUnderWay: exclude.isBusy || ticking.wanted.size > 0 };
}

type Exclusions = ReturnType<typeof useExclusions>;

interface MatchingProps {
  exclusion: Exclusions;
  filters: LinesFilters;
  /** How many match. */
  total: number;
}

/** Of more traders than the page shows: all that match are left out, or taken in. */
export function MatchingTraders({ exclusion, filters, total }: MatchingProps) {
  const { run: exclude, isUnderWay } = exclusion;
  const act = (excluded: boolean) => () =>
    !isUnderWay && exclude({ matching: lineFilters(filters), excluded });
  const { outcome } = filters;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-subtle px-4 py-1.5 text-xs">
      <span>All {tradersWord(total)} that match, on every page:</span>
      {outcome !== 'excluded' && (
        <Button look="quiet" className="h-7! px-2!" aria-disabled={isUnderWay} onClick={act(true)}>
          Leave out
        </Button>
      )}
      {outcome !== 'invoice' && (
        <Button look="quiet" className="h-7! px-2!" aria-disabled={isUnderWay} onClick={act(false)}>
          Include
        </Button>
      )}
    </p>
  );
}

/** The traders of a run. In a draft each can be left out. */
export function RunLines({ run, lines, isStale, exclusion: { ticking } }: RunLinesProps) {
  const isDraft = run.state === 'draft';
  const columns = useMemo(
    () => columnsOf(run, lines, isDraft ? ticking : null),
    [run, lines, isDraft, ticking],
  );
  return (
    <PlainTable
      label="Traders of the run"
      columns={columns}
      rows={lines}
      keyOf={(line) => line.trader_id}
      isStale={isStale}
      dimmedOf={(line) => line.outcome !== 'invoice'}
    />
  );
}

/** Traders, and whether each is included. */
type Ticks = ReadonlyMap<string, boolean>;
const NO_TICKS: Ticks = new Map();

interface Ticking {
  /** Wanted ticks that the list does not show yet. */
  wanted: Ticks;
  include(lines: readonly Line[], isOn: boolean): void;
}

/** Sends one request at a time and never blocks ticking: later ticks go with the next request. */
function useTicks({ run: exclude, isBusy }: { run(body: Exclusion): void; isBusy: boolean }): Ticking {
  const [queued, setQueued] = useState(NO_TICKS);
  const [sent, setSent] = useState(NO_TICKS);
  useEffect(() => {
    // The list shows them now.
    if (!isBusy) setSent(NO_TICKS);
  }, [isBusy]);
  useEffect(() => {
    const [first] = queued.values();
    if (first === undefined || isBusy || sent.size > 0) return;
    // A request is for one or the other.
    const next = [...queued].filter(([, isOn]) => isOn === first);
    setSent(new Map(next));
    setQueued(new Map([...queued].filter(([, isOn]) => isOn !== first)));
    exclude({ trader_ids: next.map(([id]) => id), excluded: !first });
  }, [isBusy, queued, sent, exclude]);
  return useMemo(
    () => ({
      wanted: new Map([...sent, ...queued]),
      include: (lines, isOn) =>
        setQueued((before) => new Map([...before, ...lines.map((line) => [line.trader_id, isOn] as const)])),
    }),
    [sent, queued],
  );
}

const canTick = ({ outcome }: Line) => outcome === 'invoice' || outcome === 'excluded';

function tickColumn(lines: readonly Line[], { wanted, include }: Ticking): PlainColumn<Line> {
  const isTicked = ({ trader_id: id, outcome }: Line) => wanted.get(id) ?? outcome === 'invoice';
  const tickable = lines.filter(canTick);
  const ticked = tickable.filter(isTicked);
  const isAll = tickable.length > 0 && ticked.length === tickable.length;
  return {
    id: 'tick',
    header: 'Included',
    width: '4%',
    isFixed: true,
    headerCell: tickable.length > 0 && (
      <Checkbox
        label="Include all on this page"
        checked={isAll}
        isPartial={ticked.length > 0}
        onChange={(isOn) => include(isOn ? tickable : ticked, isOn)}
      />
    ),
    cell: (line) =>
      canTick(line) ? (
        <Checkbox
          label={`Include ${nameOf(line)}`}
          checked={isTicked(line)}
          onChange={(isOn) => include([line], isOn)}
        />
      ) : null,
  };
}

const nameOf = (line: Line) => line.reference_number ?? listName(line);
function Trader(line: Line) {
  const called = listName(line);
  return (
    <span className="block truncate" title={called}>
      <bdi>
        <Name to={{ to: '/trader/$traderId', params: { traderId: line.trader_id } }}>{nameOf(line)}</Name>
      </bdi>
      {line.reference_number && <bdi className="ms-2 text-muted">{called}</bdi>}
    </span>
  );
}

const NONE = 'No invoice';

function columnsOf(run: Run, lines: readonly Line[], ticking: Ticking | null): readonly PlainColumn<Line>[] {
  return [
    ...(ticking ? [tickColumn(lines, ticking)] : []),
    {
      id: 'trader',
      header: 'Trader',
      width: '22%',
      onCard: 'lead',
      cell: (line) => <Trader {...line} />,
    },
    {
      id: 'community',
      header: 'Community',
      width: '15%',
      cell: ({ community, community_id: communityId }) => (
        <bdi className="block truncate" title={community}>
          <Name
            to={{ to: '/community-settings/$communityId', params: { communityId } }}
            className="font-normal"
          >
            {community}
          </Name>
        </bdi>
      ),
    },
    {
      id: 'positions',
      header: 'Positions',
      width: '8%',
      align: 'end',
      cell: ({ positions }) => <Count n={positions} plain="They are listed on the page of the trader" />,
    },
    {
      id: 'invoices',
      header: 'Invoices',
      width: '8%',
      align: 'end',
      cell: ({ invoices }) => <Count n={invoices} plain="One for each provider and rate" />,
    },
    {
      id: 'amount',
      header: 'Amount, USDT',
      width: '13%',
      align: 'end',
      onCard: 'end',
      cell: (line) =>
        line.outcome === 'carried' ? (
          <Money amount={line.carried} as="bare" />
        ) : line.invoices > 0 ? (
          <Money amount={line.amount} as="bare" />
        ) : (
          <span title={NONE}>–</span>
        ),
    },
    {
      id: 'outcome',
      header: 'What happens',
      width: '30%',
      onCard: 'line',
      cell: (line) => <Outcome run={run} line={line} />,
    },
  ];
}

function Outcome({ run, line: { outcome, reason, is_reachable: isReachable } }: { run: Run; line: Line }) {
  const tone = outcome === 'left_out' && reason !== 'nothing_due' ? 'caution' : 'neutral';
  const notes = [
    reason && REASONS[reason],
    outcome === 'invoice' && !isReachable && 'No Telegram ID: it cannot be told',
  ].filter(Boolean);
  return (
    <span className="block whitespace-normal max-md:text-end md:py-1">
      {outcome === 'left_out' ? (
        <State tone={tone}>{OUTCOME_LABELS[outcome]}</State>
      ) : (
        outcomeLabel(outcome, run)
      )}
      {notes.length > 0 && <span className="block text-xs text-pretty text-muted">{notes.join('. ')}</span>}
    </span>
  );
}
