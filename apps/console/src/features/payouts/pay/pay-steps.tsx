import { useState } from 'react';
import type { PayPlan } from '../payouts-queries.ts';
import type { Payment } from './payment.ts';
import { PlanStep } from './plan-step.tsx';
import { SentStep } from './sent-step.tsx';

interface PayStepsProps {
  payment: Payment;
  /** What leads away before anything is paid: back to the choice, or out. */
  leave: { label: string; onSelect(): void };
  onChanged(): void;
  onClose(): void;
}

/** What paying will do, then what becomes of it. */
export function PaySteps({ payment, leave, onChanged, onClose }: PayStepsProps) {
  const [sent, setSent] = useState<PayPlan | null>(null);
  if (sent?.distribution)
    return (
      <SentStep
        communityId={payment.communityId}
        plan={sent}
        distribution={sent.distribution}
        onClose={onClose}
      />
    );
  return <PlanStep payment={payment} leave={leave} onChanged={onChanged} onSent={setSent} />;
}
