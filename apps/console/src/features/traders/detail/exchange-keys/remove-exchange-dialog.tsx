import type { TraderExchange } from '@copydesk/contract/exchanges';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { exchangeName } from '../../../../lib/format/exchange-name.ts';
import { CheckField } from '../../../../ui/form/check-field.tsx';
import { FormDialog } from '../../../../ui/form/form-dialog.tsx';
import { useDialogForm } from '../../../../ui/form/use-dialog-form.ts';
import { useExchangesChanged } from './use-exchanges-changed.ts';

interface RemoveExchangeDialogProps {
  traderId: string;
  account: TraderExchange;
  onClose(): void;
}

export function RemoveExchangeDialog({ traderId, account, onClose }: RemoveExchangeDialogProps) {
  const { exchange, acc_uid, provider_name } = account;
  const name = exchangeName(exchange);
  const changed = useExchangesChanged(traderId);
  const form = useDialogForm({
    values: { without_last_read: false },
    send: ({ without_last_read }) =>
      call('DELETE /api/traders/{id}/exchange', {
        params: { id: traderId },
        body: { exchange, acc_uid, ...(without_last_read && { without_last_read }) },
      }),
    done: () => ({ title: 'Exchange removed', text: `${name} ${acc_uid}` }),
    onDone: () => {
      changed();
      onClose();
    },
    refusal: (error) => `Failed to remove exchange: ${messageOf(error)}`,
  });
  return (
    <FormDialog
      form={form}
      title="Remove exchange"
      text={`${name} account ${acc_uid} of ${provider_name} leaves every list and sum. Its closed positions stay. What closed until now is read once more within about an hour and invoiced, then its credentials are destroyed. This cannot be undone.`}
      confirm={form.values.without_last_read ? 'Remove now' : 'Remove'}
      busy="Removing..."
      leave="Cancel"
      isDanger
      onClose={onClose}
    >
      <CheckField
        label="Remove now, without the last read"
        name="without_last_read"
        hint="Its credentials are destroyed at once. What closed since the last read is lost and never invoiced; super admins see for which time."
      />
    </FormDialog>
  );
}
