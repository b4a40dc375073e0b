import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Clock from 'lucide-react/icons/clock';
import { useEffect, useState } from 'react';
import { TraderError } from '../features/traders/detail/trader-error.tsx';
import { traderQuery } from '../features/traders/detail/trader-query.ts';
import { displayName } from '../lib/format/trader-name.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { useSlow } from '../lib/use-slow.ts';
import { Loading } from '../ui/feedback/loading.tsx';
import { MessagePanel } from '../ui/feedback/message-panel.tsx';
import { Button } from '../ui/form/button.tsx';
import { Page } from '../ui/layout/page.tsx';
import { TraderDetail } from './trader-detail.tsx';

const SLOW_AFTER_MS = 10_000;

function BackToTraders({ look = 'outline' }: { look?: 'outline' | 'quiet' }) {
  const navigate = useNavigate();
  const router = useRouter();
  const goBack = () => {
    // Goes back in history where possible, so that the list keeps its position.
    const from = router.history.location.state.fromTraders;
    if (from) router.history.back();
    else void navigate({ to: '/' });
  };
  return (
    <Button look={look} className={look === 'quiet' ? '-ms-3' : ''} onClick={goBack}>
      <ArrowLeft className="size-4" aria-hidden="true" />
      Back to Traders
    </Button>
  );
}

export default function TraderScreen() {
  const { traderId } = useParams({ from: '/console/trader/$traderId' });
  const client = useQueryClient();
  const trader = useQuery(traderQuery(traderId));
  const [attempt, setAttempt] = useState(0);
  const isSlow = useSlow(trader.isFetching && !trader.data, SLOW_AFTER_MS, attempt);
  usePageTitle(trader.data ? displayName(trader.data) : 'Trader');

  // The heading arrives with the data: it takes the focus unless the reader has moved on.
  const isLoaded = trader.data !== undefined;
  useEffect(() => {
    if (isLoaded && document.activeElement === document.body) document.querySelector('h1')?.focus();
  }, [isLoaded]);

  const retry = () => {
    setAttempt(attempt + 1);
    // A refetch does not replace a first load under way: that has to be cancelled first.
    void client.cancelQueries(traderQuery(traderId)).then(() => trader.refetch());
  };
  if (trader.error && !trader.data) {
    return <TraderError error={trader.error} onRetry={retry} back={<BackToTraders />} />;
  }
  if (!trader.data && isSlow) {
    return (
      <MessagePanel
        icon={Clock}
        level={1}
        title="Loading Taking Too Long"
        text="The trader details have not arrived yet. The server may be busy."
      >
        <Button look="primary" onClick={retry}>
          Try Again
        </Button>
        <BackToTraders />
      </MessagePanel>
    );
  }
  if (!trader.data) return <Loading text="Loading trader details..." />;
  return (
    <Page>
      <TraderDetail trader={trader.data} back={<BackToTraders look="quiet" />} />
    </Page>
  );
}
