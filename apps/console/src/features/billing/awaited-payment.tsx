import Hourglass from 'lucide-react/icons/hourglass';
import { useEffect, useState } from 'react';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';

/** Events of Stripe take seconds; after this long something is amiss. */
const PATIENCE_MS = 60_000;

/** Shown after the payment page, until the payment is known here. */
export function AwaitedPayment({ onDismiss }: { onDismiss(): void }) {
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
