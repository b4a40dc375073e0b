import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { clsx } from 'clsx';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useEffect } from 'react';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { NotesPanel } from '../features/notes/notes.tsx';
import { ArrivalsPanel } from '../features/pools/arrivals/arrivals-panel.tsx';
import { MovementsPanel } from '../features/pools/movements/movements-panel.tsx';
import { BooksPanel } from '../features/pools/pool/books-panel.tsx';
import { CyclePanel } from '../features/pools/pool/cycle-panel.tsx';
import { MembersPanel } from '../features/pools/pool/members-panel.tsx';
import { PoolError } from '../features/pools/pool/pool-error.tsx';
import { PoolHeader } from '../features/pools/pool/pool-header.tsx';
import { readPoolSearch } from '../features/pools/pool/pool-search.ts';
import { PoolSkeleton } from '../features/pools/pool/pool-skeleton.tsx';
import { ResultsPanel } from '../features/pools/pool/results-panel.tsx';
import { TransactionsPanel } from '../features/pools/pool/transactions-panel.tsx';
import { poolQuery } from '../features/pools/pools-queries.ts';
import { RequestsPanel } from '../features/pools/requests/requests-panel.tsx';
import { WaitingOrders } from '../features/transfers/orders/waiting-orders.tsx';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button } from '../ui/form/button.tsx';
import { Page } from '../ui/layout/page.tsx';

function Back({ isSuper, look = 'outline' }: { isSuper: boolean; look?: 'outline' | 'quiet' }) {
  const navigate = useNavigate();
  const router = useRouter();
  const goBack = () => {
    if (router.history.location.state.fromDashboard) router.history.back();
    else void navigate({ to: isSuper ? '/super-admin' : '/pools' });
  };
  return (
    <Button look={look} className={look === 'quiet' ? '-ms-3' : ''} onClick={goBack}>
      <ArrowLeft className="size-4" aria-hidden="true" />
      Back
    </Button>
  );
}

/** A pooled account: its cycle and members, and for super admins its books. */
export default function PoolScreen() {
  const { poolId } = useParams({ from: '/console/pools/$poolId' });
  const [{ members, transactions, pending }, change] = useScreenSearch(readPoolSearch, { inPlace: true });
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  const explorerUrl = useIdentity().config.explorer_url;
  const { data: pool, dataUpdatedAt, error, refetch } = useQuery(poolQuery(poolId));
  usePageTitle(pool ? `Pool of ${pool.community.name}` : 'Pool');

  // The heading arrives with the data: it takes the focus unless the reader has moved on.
  const isLoaded = pool !== undefined;
  useEffect(() => {
    if (isLoaded && document.activeElement === document.body) document.querySelector('h1')?.focus();
  }, [isLoaded]);

  if (error && !pool)
    return <PoolError error={error} onRetry={() => void refetch()} back={<Back isSuper={isSuper} />} />;
  return (
    <Page>
      {pool ? (
        <>
          <PoolHeader
            pool={pool}
            readAt={dataUpdatedAt}
            back={<Back isSuper={isSuper} look="quiet" />}
            isPart={!isSuper}
          />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {isSuper && <WaitingOrders poolId={poolId} />}
            <div className={clsx('grid gap-4', isSuper && 'lg:grid-cols-2')}>
              <CyclePanel pool={pool} isSuper={isSuper} explorerUrl={explorerUrl} />
              {isSuper && <BooksPanel pool={pool} />}
            </div>
            <ResultsPanel pool={pool} isSuper={isSuper} />
            <MembersPanel
              pool={pool}
              page={Number(members ?? 1)}
              isPendingOnly={pending === 'only'}
              isSuper={isSuper}
              onChange={change}
            />
            <RequestsPanel pool={pool} isSuper={isSuper} explorerUrl={explorerUrl} />
            {isSuper && <MovementsPanel pool={pool} explorerUrl={explorerUrl} />}
            {isSuper && <ArrivalsPanel pool={pool} explorerUrl={explorerUrl} />}
            <NotesPanel subject={{ subject_kind: 'pool', subject_id: poolId }} isSuper={isSuper} />
            <TransactionsPanel
              pool={pool}
              page={Number(transactions ?? 1)}
              explorerUrl={explorerUrl}
              onChange={change}
            />
          </div>
        </>
      ) : (
        <>
          <p role="status" className="sr-only">
            Loading pool...
          </p>
          <div className="flex h-12 items-center">
            <Back isSuper={isSuper} look="quiet" />
          </div>
          <PoolSkeleton isSuper={isSuper} />
        </>
      )}
    </Page>
  );
}
