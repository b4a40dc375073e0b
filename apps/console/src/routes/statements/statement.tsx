import { STATEMENT_OWNERS, type StatementOwner } from '@copydesk/domain/ledger';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useParams } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Info from 'lucide-react/icons/info';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { BalancesPanel } from '../../features/statements/balances-panel.tsx';
import { StatementPanel } from '../../features/statements/statement-panel.tsx';
import { balancesQuery } from '../../features/statements/statement-queries.ts';
import { monthsUntil, readStatementSearch } from '../../features/statements/statement-search.ts';
import { OWNER_WORDS } from '../../features/statements/statement-texts.ts';
import { oneOf } from '../../lib/url/search-params.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { RecordProblem } from '../../ui/feedback/record-problem.tsx';
import { Count } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ToTraders } from '../admin/admin-page.tsx';

const MONTHS_OFFERED = 36;

const BACK: Record<StatementOwner, (id: string) => { words: string; to: LinkProps } | null> = {
  trader: (traderId) => ({ words: 'Trader', to: { to: '/trader/$traderId', params: { traderId } } }),
  community: (communityId) => ({
    words: 'Community',
    to: { to: '/community-settings/$communityId', params: { communityId } },
  }),
  pool: (poolId) => ({ words: 'Pool', to: { to: '/pools/$poolId', params: { poolId } } }),
  invoice: (invoiceId) => ({ words: 'Invoice', to: { to: '/invoices/$invoiceId', params: { invoiceId } } }),
  member: () => null,
  platform: () => ({ words: 'Super admin', to: { to: '/super-admin' } }),
};

function Back({ kind, id }: { kind: StatementOwner; id: string }) {
  const back = BACK[kind](id);
  if (!back) return null;
  return (
    <Link
      {...back.to}
      className="-ms-2 inline-flex h-8 items-center gap-2 rounded-md px-2 font-medium text-muted hover:bg-subtle hover:text-ink"
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      {back.words}
    </Link>
  );
}

function Statement({ kind, id }: { kind: StatementOwner; id: string }) {
  const [search, change] = useScreenSearch(readStatementSearch);
  const owner = { kind, id: kind === 'platform' ? undefined : id };
  const { month } = search;
  const { data, error, refetch } = useQuery(balancesQuery(owner, month));
  usePageTitle(data ? `Statement: ${data.owner}` : 'Statement');
  if (error && !data)
    return (
      <RecordProblem
        error={error}
        missing={{ title: 'Nothing to state', text: 'There is no such owner of accounts.' }}
        failed="The statement could not be loaded"
        onRetry={() => void refetch()}
      >
        <ToTraders />
      </RecordProblem>
    );
  if (!data) return <Loading text="Loading statement..." />;
  const asked = search.account && { account: search.account, asset: search.asset ?? ('USDT' as const) };
  const shown = asked ?? data.balances[0];
  return (
    <Page>
      <PageHeader
        back={<Back kind={kind} id={id} />}
        title={
          <>
            Statement of{' '}
            {kind === 'platform' ? (
              'the platform'
            ) : (
              <>
                {OWNER_WORDS[kind]}
                <bdi className="wrap-anywhere">{data.owner}</bdi>
              </>
            )}
          </>
        }
        actions={
          <label className="flex items-center gap-2">
            <span className="text-muted">Month (UTC)</span>
            <select
              value={month ?? ''}
              onChange={({ target }) => change({ month: target.value || undefined, page: undefined })}
              className="h-8 rounded-md border border-control bg-surface px-2 tabular-nums"
            >
              <option value="">All time</option>
              {[...new Set([...monthsUntil(new Date(), MONTHS_OFFERED), ...(month ? [month] : [])])].map(
                (each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ),
              )}
            </select>
          </label>
        }
        note={`From the ledger, to the unit.${month ? ' Balances are those at the end of the month.' : ''}`}
      />
      {data.not_booked && data.not_booked.invoices > 0 && (
        <Notice
          isBox
          tone="neutral"
          icon={Info}
          title={
            <>
              <Money amount={data.not_booked.amount} /> more is owed on{' '}
              <Count
                n={data.not_booked.invoices}
                of={['imported invoice', 'imported invoices']}
                plain="The list of invoices has them"
              />{' '}
              that the books do not have yet
            </>
          }
        >
          An import is booked before its first change here, or when the books of its trader are opened.
        </Notice>
      )}
      {data.balances.length === 0 || !shown ? (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">
          Nothing was ever booked for it.
        </p>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[22rem_minmax(0,1fr)]">
          <BalancesPanel
            balances={data.balances}
            shown={shown}
            isPast={month !== undefined}
            onShow={({ account, asset }) =>
              change({ account, asset: asset === 'BNB' ? asset : undefined, page: undefined })
            }
          />
          <StatementPanel
            owner={owner}
            shown={shown}
            month={month}
            page={Number(search.page ?? 1)}
            onPage={(page) => change({ page: page > 1 ? String(page) : undefined })}
          />
        </div>
      )}
    </Page>
  );
}

export default function StatementScreen() {
  const { ownerKind, ownerId } = useParams({ from: '/console/statements/$ownerKind/$ownerId' });
  const kind = oneOf(STATEMENT_OWNERS, ownerKind) ?? 'trader';
  return (
    <SuperOnly back={<ToTraders />}>
      <Statement kind={kind} id={ownerId} />
    </SuperOnly>
  );
}
