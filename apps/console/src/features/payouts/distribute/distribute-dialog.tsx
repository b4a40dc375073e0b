import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { invalidate } from '../../../lib/api/read-again.ts';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { PaySteps } from '../pay/pay-steps.tsx';
import type { PayoutOrder } from '../pay/payout-order.ts';
import { payoutsKeys } from '../payouts-keys.ts';
import { ChooseStep } from './choose-step.tsx';
import { NO_RECIPIENTS, type Selection } from './selection.ts';

interface DistributeDialogProps {
  community: { id: string; name: string };
  onClose(): void;
}

/** Pays out what a community owes: the choice of recipients, the preview, and the progress. */
export function DistributeDialog({ community, onClose }: DistributeDialogProps) {
  const client = useQueryClient();
  const [selection, setSelection] = useState<Selection>(NO_RECIPIENTS);
  const [order, setOrder] = useState<PayoutOrder | null>(null);
  const [isOutdated, setOutdated] = useState(false);
  const { id, name } = community;
  const onChanged = useCallback(() => {
    setOrder(null);
    setOutdated(true);
    void invalidate(client, { queryKey: payoutsKeys.pending(id) });
  }, [client, id]);
  const pay = (next: PayoutOrder) => {
    setOutdated(false);
    setOrder(next);
  };
  return (
    <Dialog
      wide
      title="Distribute Funds"
      text={order ? `Payouts of ${name}` : `Pending recipients of ${name}`}
      onClose={onClose}
    >
      {order ? (
        <PaySteps
          order={order}
          leave={{ label: 'Back', onSelect: () => setOrder(null) }}
          onChanged={onChanged}
          onClose={onClose}
        />
      ) : (
        <ChooseStep
          communityId={id}
          selection={selection}
          onSelect={setSelection}
          isOutdated={isOutdated}
          onPay={pay}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
