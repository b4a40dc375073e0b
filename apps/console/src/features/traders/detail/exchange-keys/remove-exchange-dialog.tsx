import type { TraderExchange } from '@copydesk/contract/exchanges';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { exchangeName } from '../../../../lib/format/exchange-name.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { CheckField } from '../../../../ui/form/check-field.tsx';
import { Dialog } from '../../../../ui/form/dialog.tsx';
import { FormError } from '../../../../ui/form/form-error.tsx';
import { useExchangesChanged } from './use-exchanges-changed.ts';

interface RemoveExchangeDialogProps {
  traderId: string;
  account: TraderExchange;
  onClose(): void;
}

export function RemoveExchangeDialog({ traderId, account, onClose }: RemoveExchangeDialogProps) {
  const { exchange, acc_uid, provider_name } = account;
  const name = exchangeName(exchange);
  const [isNow, setNow] = useState(false);
  const changed = useExchangesChanged(traderId);
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /api/traders/{id}/exchange', {
        params: { id: traderId },
        body: { exchange, acc_uid, ...(isNow && { without_last_read: true }) },
      }),
    onSuccess: () => {
      toast({ tone: 'positive', title: 'Exchange removed', text: `${name} ${acc_uid}` });
      changed();
      onClose();
    },
  });
  return (
    <Dialog
      title="Remove exchange"
      text={`${name} account ${acc_uid} of ${provider_name} leaves every list and sum. Its closed positions stay. What closed until now is read once more within about an hour and invoiced, then its credentials are destroyed. This cannot be undone.`}
      onClose={onClose}
    >
      <div className="mt-3">
        <CheckField
          label="Remove now, without the last read"
          hint="Its credentials are destroyed at once. What closed since the last read is lost and never invoiced; super admins see for which time."
          checked={isNow}
          onChange={(event) => setNow(event.target.checked)}
        />
      </div>
      <FormError message={remove.error ? `Failed to remove exchange: ${messageOf(remove.error)}` : null} />
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          aria-disabled={remove.isPending}
          onClick={() => !remove.isPending && remove.mutate()}
        >
          {remove.isPending ? 'Removing...' : isNow ? 'Remove now' : 'Remove'}
        </Button>
      </div>
    </Dialog>
  );
}
