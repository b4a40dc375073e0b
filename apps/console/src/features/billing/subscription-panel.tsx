import { useQuery } from '@tanstack/react-query';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Hourglass from 'lucide-react/icons/hourglass';
import { useEffect, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { useAsOf } from '../../lib/live/freshness.ts';
import { ErrorLine } from '../../ui/feedback/error-line.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Button } from '../../ui/form/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { ManageDialog } from './manage-dialog.tsx';
import { PaymentLinkDialog } from './payment-link-dialog.tsx';
import { SubscribeDialog } from './subscribe-dialog.tsx';
import { SubscriptionFacts } from './subscription-facts.tsx';
import { type Interval, type Subscription, subscriptionQuery } from './subscription-query.ts';
import {
  INTERVAL_WORDS,
  isConfirmed,
  isPayable,
  noticesOf,
  offeredIntervals,
  priceWords,
} from './subscription-texts.ts';

interface SubscriptionPanelProps {
  community: { id: string; name: string; is_archived: boolean };
  /** The person comes from the payment page. */
  isReturning: boolean;
  /** The payment is known, or no longer awaited. */
  onSettled(): void;
}

const LOOK_EVERY_MS = 2_000;

/** What a community pays us, and what for. For super admins. */
export function SubscriptionPanel({ community, isReturning, onSettled }: SubscriptionPanelProps) {
  const { data, error, refetch } = useQuery({
    ...subscriptionQuery(community.id),
    refetchInterval: isReturning ? LOOK_EVERY_MS : false,
  });
  useAsOf(data?.read_at, 'Subscription');
  const [asked, setAsked] = useState<Interval | 'manage' | 'link' | null>(null);
  const isSettled = isReturning && data !== undefined && isConfirmed(data);
  useEffect(() => {
    if (!isSettled) return;
    toast({ tone: 'positive', title: 'Subscription confirmed', text: community.name });
    onSettled();
  }, [isSettled, community.name, onSettled]);

  const canManage = data?.is_configured && data.has_customer;
  return (
    <Panel
      title="Subscription"
      actions={
        canManage && (
          <Button className="h-7!" onClick={() => setAsked('manage')}>
            Manage
          </Button>
        )
      }
    >
      {error && !data && <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />}
      {!error && !data && <span aria-hidden="true" className="skeleton block h-28 w-full" />}
      {data && (
        <>
          <div className="mb-2 grid gap-2 empty:hidden">
            {isReturning && !isSettled && <AwaitedPayment onDismiss={onSettled} />}
            {noticesOf(data).map(({ tone, title, text }) => (
              <Notice key={title} tone={tone} icon={CircleAlert} isBox title={title}>
                {text}
              </Notice>
            ))}
          </div>
          <SubscriptionFacts subscription={data} />
          {!community.is_archived && !isReturning && (
            <div className="mt-2 grid gap-2 empty:hidden">
              <Offers subscription={data} onAsk={setAsked} />
              {isPayable(data) && (
                <Button onClick={() => setAsked('link')}>Send the owner the payment link</Button>
              )}
            </div>
          )}
          {!data.is_configured && (
            <p className="mt-2 text-muted">
              This server has no keys of Stripe. Subscriptions cannot be bought or changed here, and nothing
              is closed without one.
            </p>
          )}
        </>
      )}
      {asked === 'manage' && <ManageDialog community={community} onClose={() => setAsked(null)} />}
      {asked === 'link' && <PaymentLinkDialog community={community} onClose={() => setAsked(null)} />}
      {asked !== null && asked !== 'manage' && asked !== 'link' && (
        <SubscribeDialog
          community={community}
          interval={asked}
          price={data?.plans[asked] ?? ''}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}

function Offers({ subscription, onAsk }: { subscription: Subscription; onAsk(interval: Interval): void }) {
  const offered = offeredIntervals(subscription);
  const isBuyable = subscription.status === 'none' || subscription.status === 'canceled';
  if (offered.length === 0)
    return subscription.is_configured && isBuyable ? (
      <p className="text-muted">No plan is offered. Set prices under Settings first.</p>
    ) : null;
  return offered.map((interval) => (
    <Button key={interval} onClick={() => onAsk(interval)}>
      Subscribe {INTERVAL_WORDS[interval].label} · {priceWords(subscription.plans[interval] ?? '', interval)}
    </Button>
  ));
}

/** Events of Stripe take seconds; after this long something is wrong. */
const PATIENCE_MS = 60_000;

/** Shown after the payment page, until the payment is known here. */
function AwaitedPayment({ onDismiss }: { onDismiss(): void }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Notice
      tone={isLate ? 'caution' : 'neutral'}
      icon={Hourglass}
      isBox
      title="Waiting for confirmation"
      actions={
        isLate && (
          <Button className="h-7!" onClick={onDismiss}>
            Dismiss
          </Button>
        )
      }
    >
      {isLate
        ? 'Stripe has not confirmed a payment yet. If you paid, it appears here later, at the latest tomorrow.'
        : 'Stripe has not confirmed the payment yet. This takes a few seconds.'}
    </Notice>
  );
}
