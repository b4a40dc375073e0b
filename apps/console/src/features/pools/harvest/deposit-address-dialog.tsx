import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { useOnceKey } from '../../../lib/once-key.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { type PooledAccount, poolsKeys } from '../pools-queries.ts';

interface DepositAddressDialogProps {
  pool: PooledAccount;
  approved: string | null;
  onClose(): void;
}

/** Sets the address at Bybit that the pool's money goes to at the stop of a harvest. */
export function DepositAddressDialog({ pool, approved, onClose }: DepositAddressDialogProps) {
  const client = useQueryClient();
  const once = useOnceKey();
  const [address, setAddress] = useState('');
  const set = useMutation({
    mutationFn: () => {
      const body = { address: address.trim() };
      return call('PUT /api/pooled-accounts/{id}/deposit-address', {
        params: { id: pool.id },
        body,
        idempotencyKey: once.keyOf({ id: pool.id, ...body }),
      });
    },
    onSuccess: () => {
      toast({ tone: 'neutral', title: 'Deposit address set', text: pool.community.name });
      onClose();
    },
    onError: once.failed,
    onSettled: () => client.invalidateQueries({ queryKey: poolsKeys.all }),
  });
  return (
    <AskDialog
      title="Set Deposit Address"
      text={
        approved === null
          ? 'It is usable at once. Compare it with the address on Bybit, BNB Smart Chain (BEP-20).'
          : 'A changed address is usable after the waiting time. Compare it with the address on Bybit, BNB Smart Chain (BEP-20).'
      }
      confirm="Set Address"
      busy="Setting..."
      isBusy={set.isPending}
      error={set.error ? messageOf(set.error) : null}
      onConfirm={() => set.mutate()}
      onClose={onClose}
    >
      <div className="mt-3">
        <TextField
          label="Deposit address of USDT on Bybit"
          name="address"
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
      </div>
    </AskDialog>
  );
}
