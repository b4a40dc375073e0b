import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { poolsKeys } from '../pools-keys.ts';
import type { PooledAccount } from '../pools-queries.ts';
import { WAITS_FOR_OTHER } from '../requests/request-texts.ts';

interface DepositAddressDialogProps {
  pool: PooledAccount;
  onClose(): void;
}

/** Orders the address at Bybit that the pool's money goes to at the stop of a harvest. */
export function DepositAddressDialog({ pool, onClose }: DepositAddressDialogProps) {
  const form = useDialogForm({
    values: { address: '' },
    send: ({ address }, keyOf) => {
      const params = { id: pool.id };
      const body = { address: address.trim() };
      const idempotencyKey = keyOf({ ...params, ...body });
      return call('PUT /api/pooled-accounts/{id}/deposit-address', { params, body, idempotencyKey });
    },
    done: ({ data }) =>
      data.state === 'awaiting_approval'
        ? { tone: 'neutral', title: 'Deposit address ordered', text: WAITS_FOR_OTHER }
        : { tone: 'neutral', title: 'This is the deposit address already' },
    reads: poolsKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Set deposit address"
      text="Another super admin approves it, and it is usable after the waiting time of changed addresses. Compare it with the address on Bybit, BNB Smart Chain (BEP-20)."
      confirm="Set address"
      busy="Setting..."
      onClose={onClose}
    >
      <TextField
        label="Deposit address of USDT on Bybit"
        name="address"
        autoComplete="off"
        spellCheck={false}
        isMono
      />
    </FormDialog>
  );
}
