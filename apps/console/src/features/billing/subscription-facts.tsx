import { State } from '../../ui/feedback/state.tsx';
import { Fact, Facts } from '../../ui/figures/fact.tsx';
import type { Subscription } from './subscription-query.ts';
import { INTERVAL_WORDS, priceWords, stateWords } from './subscription-texts.ts';

/** The state of a subscription in words, with what it includes. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const { status, interval, plans, allows } = subscription;
  const { label, tone, text } = stateWords(subscription);
  const price = interval && plans[interval];
  return (
    <>
      <p className="mb-1 text-muted">{text}</p>
      <Facts>
        <Fact label="State">
          <State tone={tone}>{label}</State>
        </Fact>
        {interval && status !== 'none' && status !== 'canceled' && (
          <Fact label="Plan">{price ? priceWords(price, interval) : INTERVAL_WORDS[interval].label}</Fact>
        )}
        {/* Without Stripe nothing is closed. */}
        {subscription.is_configured && (
          <Fact label="Exchange bot">
            {allows.includes('exchange_bot') ? 'Included' : 'Cannot be switched on'}
          </Fact>
        )}
      </Facts>
    </>
  );
}
