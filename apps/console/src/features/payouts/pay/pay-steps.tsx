import { useState } from 'react';
import type { PayPlan } from '../payouts-queries.ts';
import type { PayoutOrder } from './payout-order.ts';
import { PlanStep } from './plan-step.tsx';
import { SentStep } from './sent-step.tsx';

interface PayStepsProps {
  order: PayoutOrder;
  /** The way out before anything is paid: back to the choice, or cancel. */
  leave: { label: string; onSelect(): void };
  onChanged(): void;
  onClose(): void;
}

/** The preview of a payment, then its progress. */
export function PaySteps({ order, leave, onChanged, onClose }: PayStepsProps) {
  const [sent, setSent] = useState<PayPlan | null>(null);
  if (sent?.distribution)
    return (
      <SentStep
        communityId={order.communityId}
        plan={sent}
        distribution={sent.distribution}
        onClose={onClose}
      />
    );
  return <PlanStep order={order} leave={leave} onChanged={onChanged} onSent={setSent} />;
}
