import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { communitiesKeys } from '../communities-keys.ts';

/** What the traders of a community were invoiced, and how much of it they paid. */
export function InvoiceSumsPanel({ communityId }: { communityId: string }) {
  const { data, error, refetch } = useQuery(statsQuery(communityId));
  const unread = <span className="text-muted">{error ? 'Unknown' : 'Loading...'}</span>;
  const sums = data?.invoices;
  return (
    <Panel
      title="Invoices"
      actions={
        <Link
          to="/invoices"
          search={{ community: communityId }}
          className="rounded text-accent hover:underline"
        >
          Show in Invoices
        </Link>
      }
    >
      {error && !data && (
        <div className="pb-2">
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      )}
      <Facts>
        <Fact label="Invoices">
          {sums ? <Count n={sums.count} plain="The list has the cancelled ones too" /> : unread}
        </Fact>
        <Fact label="Invoiced">{sums ? <Money amount={sums.amount} /> : unread}</Fact>
        <Fact label="Paid">{sums ? <Money amount={sums.paid_amount} /> : unread}</Fact>
        <Fact label="Outstanding">
          {sums ? (
            <>
              <Money amount={sums.unpaid_amount} className="font-semibold" />
              {sums.unpaid_count > 0 && (
                <span className="block text-xs text-muted">
                  {sums.unpaid_count === 1 ? '1 invoice' : `${formatCount(sums.unpaid_count)} invoices`}
                </span>
              )}
            </>
          ) : (
            unread
          )}
        </Fact>
      </Facts>
      <p className="pt-1 text-xs text-muted">Cancelled invoices are left out.</p>
    </Panel>
  );
}

const statsQuery = (id: string) =>
  queryOptions({
    queryKey: [...communitiesKeys.record(id), 'stats'],
    staleTime: 30_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/communities/{id}/stats', { params: { id }, signal })).data,
  });
