import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Facts, StackedFact } from '../../ui/figures/fact.tsx';
import { Name } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { When } from '../../ui/figures/when.tsx';
import { ExportButton } from '../../ui/form/filters/export-button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { PagedTable } from '../../ui/table/plain-table/paged-table.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { Balance } from './balance.tsx';
import {
  type AccountBalance,
  type Movement,
  type Owner,
  STATEMENT_ROWS,
  type StatementSums,
  saveStatement,
  statementQuery,
} from './statement-queries.ts';
import { ACCOUNT_NAMES, journalWords } from './statement-texts.ts';

interface StatementPanelProps {
  owner: Owner;
  shown: Pick<AccountBalance, 'account' | 'asset'>;
  month: string | undefined;
  page: number;
  onPage(page: number): void;
}

const columns: readonly PlainColumn<Movement>[] = [
  { id: 'at', width: '17%', header: 'Booked', onCard: 'lead', cell: ({ at }) => <When at={at} /> },
  {
    id: 'kind',
    width: '26%',
    header: 'What',
    cell: ({ kind, invoice_id: invoiceId }) =>
      invoiceId ? (
        <Link
          to="/invoices/$invoiceId"
          params={{ invoiceId }}
          className="rounded hover:text-accent hover:underline"
        >
          {journalWords(kind)}
        </Link>
      ) : (
        journalWords(kind)
      ),
  },
  {
    id: 'by',
    width: '25%',
    header: 'By',
    cell: ({ actor_name }) => (
      <span className="block truncate text-muted" title={actor_name}>
        <Name plain="The audit has who did it">{actor_name}</Name>
      </span>
    ),
  },
  {
    id: 'change',
    width: '16%',
    header: 'Change',
    align: 'end',
    onCard: 'end',
    cell: ({ change }) => (
      <span className="font-medium">
        {change.startsWith('-') ? '−' : '+'}
        <Money amount={change.replace('-', '')} as="bare" />
      </span>
    ),
  },
  {
    id: 'balance',
    width: '16%',
    header: 'Balance',
    align: 'end',
    cell: ({ balance }) => <Balance amount={balance} />,
  },
];

/** The movements of an account, between its opening and its closing balance. */
export function StatementPanel({ owner, shown, month, page, onPage }: StatementPanelProps) {
  const query = useQuery(statementQuery(owner, shown, { month, page }));
  const { data } = query;
  return (
    <Panel
      title={ACCOUNT_NAMES[shown.account]}
      count={data?.meta.total}
      note={shown.asset}
      flush
      actions={
        data &&
        data.meta.total > 0 && (
          <ExportButton className="h-7!" onExport={() => saveStatement(owner, shown, month)} />
        )
      }
    >
      {data && <Sums sums={data.meta} />}
      <PagedTable
        label="Movements"
        what="movements"
        columns={columns}
        keyOf={({ id }) => id}
        query={query}
        page={page}
        pageRows={STATEMENT_ROWS}
        onPage={onPage}
        loading={<Loading text="Loading movements..." />}
        empty={<p className="px-4 py-3 text-muted">Nothing was booked {month ? 'in this month' : 'yet'}</p>}
      />
    </Panel>
  );
}

const SUMS = [
  ['opening', 'Opening balance', ''],
  ['increase', 'In', '+'],
  ['decrease', 'Out', '−'],
  ['closing', 'Closing balance', ''],
] as const;

function Sums({ sums }: { sums: StatementSums }) {
  return (
    <Facts className="grid grid-cols-2 gap-x-4 gap-y-2 border-b border-line px-4 py-3 sm:grid-cols-4">
      {SUMS.map(([name, label, sign]) => (
        <StackedFact key={name} label={label} size="medium">
          {/[1-9]/.test(sums[name]) && sign}
          <Balance amount={sums[name]} />
        </StackedFact>
      ))}
    </Facts>
  );
}
