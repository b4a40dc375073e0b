import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { invalidate } from '../../../lib/api/read-again.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { PaySteps } from '../pay/pay-steps.tsx';
import type { PayoutOrder } from '../pay/payout-order.ts';
import { payoutsKeys } from '../payouts-keys.ts';

interface WithdrawDialogProps {
  community: { id: string; name: string };
  /** USDT, as shown. */
  amount: string;
  onClose(): void;
}

/** Pays a community its own share. */
export function WithdrawDialog({ community, amount, onClose }: WithdrawDialogProps) {
  const client = useQueryClient();
  const [order] = useState<PayoutOrder>({ kind: 'withdraw', communityId: community.id, expected: amount });
  const onChanged = useCallback(() => {
    toast({
      tone: 'neutral',
      title: 'The withdrawable amount has changed',
      text: 'Nothing was sent. Please review it again.',
    });
    void invalidate(client, { queryKey: payoutsKeys.all });
    onClose();
  }, [client, onClose]);
  return (
    <Dialog
      wide
      title="Withdraw"
      text={`Pays the pending share of ${community.name} to its external address`}
      onClose={onClose}
    >
      <PaySteps
        order={order}
        leave={{ label: 'Cancel', onSelect: onClose }}
        onChanged={onChanged}
        onClose={onClose}
      />
    </Dialog>
  );
}
