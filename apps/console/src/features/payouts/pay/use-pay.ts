import { useState } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { untilAnswered } from '../../../lib/api/until-answered.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { useSend } from '../../../ui/form/use-act.ts';
import { followDistribution, followedOf } from '../follow/followed-distributions.ts';
import { distributeProblem } from '../payout-texts.ts';
import { payoutsKeys } from '../payouts-keys.ts';
import type { PayPlan } from '../payouts-queries.ts';
import { type PayoutOrder, sendPayoutOrder } from './payout-order.ts';
import { sentWords } from './plan-texts.ts';

/** The pending shares differ from those shown. */
export const hasChanged = (error: unknown) =>
  error instanceof ApiError && error.code === 'recipients_changed';

interface PayHandlers {
  onSent(sent: PayPlan): void;
  /** Called when there is nothing left to confirm. */
  onChanged(): void;
}

/**
 * Moves the money. A repeat after a failed request moves it once. It announces the order even after its dialog closed.
 * An order of thousands may outlast a request: its result is polled until it is known.
 */
export function usePay(order: PayoutOrder, isAllowedOnce: boolean, { onSent, onChanged }: PayHandlers) {
  const [isLate, setLate] = useState(false);
  const pay = useSend(
    (plan: PayPlan, keyOf) => {
      const seen = { ...order, expected: plan.total_amount };
      setLate(false);
      const idempotencyKey = keyOf({ ...seen, isAllowedOnce });
      return untilAnswered(() => sendPayoutOrder(seen, { isDry: false, isAllowedOnce, idempotencyKey }), {
        onLate: () => setLate(true),
      });
    },
    {
      done: (sent) => ({ tone: 'neutral', ...sentWords(sent) }),
      onDone: (sent) => {
        if (sent.distribution) followDistribution(followedOf(order, sent.distribution));
        onSent(sent);
      },
      onError: (error) => {
        toast({ tone: 'negative', title: distributeProblem(error) });
        if (hasChanged(error)) onChanged();
      },
      reads: payoutsKeys.all,
    },
  );
  return { ...pay, isLate: pay.isBusy && isLate };
}
