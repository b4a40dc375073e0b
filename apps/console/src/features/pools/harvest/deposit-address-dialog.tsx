import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { PooledAccount } from '../pools-queries.ts';
import { WAITS_FOR_OTHER } from '../requests/request-texts.ts';
import { usePoolAct } from '../use-pool-act.ts';

interface DepositAddressDialogProps {
  pool: PooledAccount;
  onClose(): void;
}

/** Orders the address at Bybit that the pool's money goes to at the stop of a harvest. */
export function DepositAddressDialog({ pool, onClose }: DepositAddressDialogProps) {
  const [address, setAddress] = useState('');
  const params = { id: pool.id };
  const body = { address: address.trim() };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) =>
      call('PUT /api/pooled-accounts/{id}/deposit-address', { params, body, idempotencyKey }),
    done: ({ data }) =>
      data.state === 'awaiting_approval'
        ? { title: 'Deposit address ordered', text: WAITS_FOR_OTHER }
        : { title: 'This is the deposit address already' },
    onClose,
  });
  return (
    <AskDialog
      title="Set deposit address"
      text="Another super admin approves it, and it is usable after the waiting time of changed addresses. Compare it with the address on Bybit, BNB Smart Chain (BEP-20)."
      confirm="Set address"
      busy="Setting..."
      {...act}
    >
      <div className="mt-3">
        <TextField
          label="Deposit address of USDT on Bybit"
          name="address"
          autoComplete="off"
          spellCheck={false}
          isMono
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
      </div>
    </AskDialog>
  );
}
