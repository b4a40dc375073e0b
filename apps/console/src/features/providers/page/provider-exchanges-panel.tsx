import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api/api-error.ts';
import { exchangeName } from '../../../lib/format/exchange-name.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { type ProviderExchange, providerExchangesQuery } from '../providers-queries.ts';

const COLUMNS: readonly PlainColumn<ProviderExchange>[] = [
  {
    id: 'exchange',
    header: 'Exchange',
    width: '34%',
    onCard: 'lead',
    cell: ({ exchange, is_supported }) => (
      <span className="inline-flex items-center gap-2">
        <span className={is_supported ? 'font-medium' : 'text-muted'}>{exchangeName(exchange)}</span>
        {!is_supported && <State tone="neutral">Not offered</State>}
      </span>
    ),
  },
  {
    id: 'accounts',
    header: 'Accounts',
    width: '22%',
    align: 'end',
    cell: ({ accounts }) => <Count n={accounts} plain="No list has exchange accounts" />,
  },
  {
    id: 'health',
    header: 'Health',
    width: '44%',
    align: 'end',
    cell: ({ accounts, failing, unread }) => {
      if (accounts === 0) return <span className="text-muted">None connected</span>;
      return (
        <span className="inline-flex gap-1.5">
          {failing > 0 && <State tone="negative">{`${formatCount(failing)} failing`}</State>}
          {unread > 0 && <State tone="neutral">{`${formatCount(unread)} not read yet`}</State>}
          {failing + unread === 0 && <State tone="positive">All read</State>}
        </span>
      );
    },
  },
];

/** The accounts under a provider, by exchange, and whether their last reads worked. */
export function ProviderExchangesPanel({ providerId }: { providerId: string }) {
  const { data, error, refetch } = useQuery(providerExchangesQuery(providerId));
  return (
    <Panel title="Exchange Accounts" flush>
      {data ? (
        <PlainTable
          label="Exchange accounts"
          columns={COLUMNS}
          rows={data.filter(({ is_supported, accounts }) => is_supported || accounts > 0)}
          keyOf={({ exchange }) => exchange}
        />
      ) : error ? (
        <div className="p-4">
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      ) : (
        <Loading text="Loading exchange accounts..." />
      )}
    </Panel>
  );
}
