import { State } from '../../../ui/feedback/state.tsx';
import { Count, Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { RUN_STATES, reachOf } from './run-texts.ts';
import type { Run } from './runs-queries.ts';

const pageOf = ({ id }: Run) => ({ to: '/invoices/runs/$runId', params: { runId: id } }) as const;
const LISTED = 'Its page lists them';

const COLUMNS: readonly PlainColumn<Run>[] = [
  {
    id: 'for',
    header: 'For',
    width: '17%',
    onCard: 'lead',
    cell: (run) => <Name to={pageOf(run)}>{reachOf(run)}</Name>,
  },
  {
    id: 'state',
    header: 'State',
    width: '12%',
    onCard: 'end',
    cell: ({ state }) => <State tone={RUN_STATES[state].tone}>{RUN_STATES[state].label}</State>,
  },
  {
    id: 'at',
    header: 'When',
    width: '13%',
    cell: ({ finished_at: finished, created_at: created }) => <When at={finished ?? created} />,
  },
  {
    id: 'by',
    header: 'By',
    width: '20%',
    onCard: 'line',
    cell: ({ requested_by: asked, sent_by: sent }) => (
      <bdi className="block truncate" title={sent ?? asked}>
        {sent ?? asked}
      </bdi>
    ),
  },
  {
    id: 'invoices',
    header: 'Invoices',
    width: '9%',
    align: 'end',
    cell: ({ invoices }) => <Count n={invoices} plain={LISTED} />,
  },
  {
    id: 'amount',
    header: 'Amount, USDT',
    width: '13%',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} as="bare" />,
  },
  {
    id: 'left',
    header: 'To look at',
    width: '16%',
    align: 'end',
    onCard: 'line',
    cell: ({ id, problem_count: problems, messages: { failed } }) => (
      <span className="block whitespace-normal">
        {problems > 0 && <Count n={problems} of={['problem', 'problems']} plain={LISTED} />}
        {problems > 0 && failed > 0 && ', '}
        {failed > 0 && (
          <Count
            n={failed}
            of={['message failed', 'messages failed']}
            to={{ to: '/messages', search: { run: id, outcome: 'not_delivered' } }}
          />
        )}
        {problems + failed === 0 && '–'}
      </span>
    ),
  },
];

/** Invoicing runs and drafts, latest first. */
export const RunsTable = ({ rows, isStale }: { rows: readonly Run[]; isStale: boolean }) => (
  <PlainTable
    label="Invoicing runs, latest first"
    columns={COLUMNS}
    rows={rows}
    keyOf={({ id }) => id}
    isStale={isStale}
    dimmedOf={({ state }) => state === 'discarded'}
  />
);
