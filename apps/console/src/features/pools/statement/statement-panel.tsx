import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '../../../lib/format/numbers.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Facts, StackedFact } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { HarvestBadge } from '../harvest-badge.tsx';
import { type PoolStatement, poolStatementQuery } from '../pools-queries.ts';

type Line = PoolStatement['cycles'][number];
const PAGE_ROWS = 12;

const amount = (units: string) => <Money amount={units} as="bare" />;
const lesser = (units: string) => (
  <span className={/[1-9]/.test(units) ? '' : 'text-muted'}>
    <Money amount={units} as="bare" />
  </span>
);

const COLUMNS: readonly PlainColumn<Line>[] = [
  {
    id: 'cycle',
    header: 'Cycle',
    width: '10%',
    onCard: 'lead',
    cell: ({ cycle_number }) => `Cycle ${formatCount(cycle_number)}`,
  },
  {
    id: 'valued',
    header: 'Valued',
    width: '14%',
    onCard: 'end',
    cell: ({ valued_at }) => <When at={valued_at} as="day" />,
  },
  { id: 'opening', header: 'Before', width: '16%', align: 'end', cell: ({ opening }) => amount(opening) },
  {
    id: 'result',
    header: 'Result',
    width: '16%',
    align: 'end',
    cell: ({ result }) => <Money as="bare" isSigned amount={result} />,
  },
  { id: 'fee', header: 'Fee', width: '13%', align: 'end', cell: ({ fee }) => lesser(fee) },
  { id: 'carry', header: 'Carried loss', width: '15%', align: 'end', cell: ({ carry }) => lesser(carry) },
  { id: 'closing', header: 'After', width: '16%', align: 'end', cell: ({ closing }) => amount(closing) },
];

const TOTALS = [
  ['opening_balance', 'Opening balance', ''],
  ['deposited', 'Deposited', '+'],
  ['results', 'Results', '+'],
  ['fees', 'Fees', '−'],
  ['withdrawn', 'Withdrawn', '−'],
  ['virtual_balance', 'Virtual balance', '='],
] as const;

/** What a trader has in the pool of the community, and how it came about. Nothing for those who are in no pool. */
export function StatementPanel({ traderId }: { traderId: string }) {
  const [page, setPage] = useState(1);
  const { data } = useQuery(poolStatementQuery(traderId));
  useLastPage({ page, rows: PAGE_ROWS, total: data?.cycles.length }, setPage);
  if (!data) return null;
  const { pool, member, totals, cycles, cycle_count } = data;
  const shown = TOTALS.filter(([name]) => name !== 'opening_balance' || /[1-9]/.test(totals[name]));
  return (
    <Panel
      title="Pool"
      flush
      note={<span>USDT</span>}
      actions={
        <>
          <HarvestBadge status={pool.status} />
          <Link
            to="/pools/$poolId"
            params={{ poolId: pool.id }}
            className="rounded text-accent hover:underline"
          >
            Pool of {pool.community.name}
          </Link>
        </>
      }
    >
      <Facts
        aria-label="How the virtual balance came about"
        className="grid grid-cols-2 gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-6"
      >
        {shown.map(([name, label, sign]) => (
          <StackedFact
            key={name}
            label={
              <>
                {sign && <span aria-hidden="true">{sign} </span>}
                {label}
              </>
            }
          >
            {name === 'results' ? <Money as="bare" isSigned amount={totals[name]} /> : amount(totals[name])}
          </StackedFact>
        ))}
      </Facts>
      {/[1-9]/.test(member.pending_deposits) && (
        <p className="border-t border-line px-4 py-2 text-muted">
          <Money amount={member.pending_deposits} as="exact" /> are deposited and join the pool when it opens.
        </p>
      )}
      {cycles.length === 0 ? (
        <p className="border-t border-line px-4 py-2 text-muted">No cycle has been valued yet.</p>
      ) : (
        <div className="border-t border-line">
          <PlainTable
            label="Results of the trader by cycle, newest first"
            columns={COLUMNS}
            rows={cycles.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)}
            keyOf={({ cycle_number }) => String(cycle_number)}
          />
          {cycles.length > PAGE_ROWS && (
            <Pager
              label="Pages of cycles"
              page={page}
              pageRows={PAGE_ROWS}
              total={cycles.length}
              onChange={setPage}
            />
          )}
          {cycle_count > cycles.length && (
            <p className="border-t border-line px-4 py-2 text-xs text-muted">
              The latest <Count n={cycles.length} plain="They are listed above" /> of{' '}
              <Count n={cycle_count} plain="The newest are listed above" /> cycles
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}
