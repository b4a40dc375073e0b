import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { useOnceKey } from '../../../lib/once-key.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { Checkbox } from '../../../ui/forms/checkbox.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { memberName } from '../pool/pool-words.ts';
import { type PooledAccount, type PoolMember, poolsKeys } from '../pools-queries.ts';

const EVERYTHING = 'Everything, whatever it is when the pool opens';

interface WithdrawDialogProps {
  pool: PooledAccount;
  member: PoolMember;
  onClose(): void;
}

/** Requests a withdrawal for a member. The pool pays it to the trader's payout address while it is open. */
export function WithdrawDialog({ pool, member, onClose }: WithdrawDialogProps) {
  const client = useQueryClient();
  const once = useOnceKey();
  const [isAll, setAll] = useState(false);
  const [amount, setAmount] = useState('');
  const request = useMutation({
    mutationFn: () => {
      const body = { member_id: member.id, amount: isAll ? 'all' : amount.trim() };
      return call('POST /api/pooled-accounts/{id}/withdrawals', {
        params: { id: pool.id },
        body,
        idempotencyKey: once.keyOf({ id: pool.id, ...body }),
      });
    },
    onSuccess: ({ data }) => {
      const isOpen = pool.current_harvest_cycle.step === 'open';
      toast({
        tone: 'neutral',
        title: 'Withdrawal requested',
        text: data.suggests_all
          ? 'Less than 1 USDT will remain. Consider withdrawing everything.'
          : isOpen
            ? 'It is paid while the pool is open.'
            : 'It waits until the pool opens.',
      });
      onClose();
    },
    onError: once.failed,
    onSettled: () => client.invalidateQueries({ queryKey: poolsKeys.all }),
  });
  return (
    <AskDialog
      title="Request Withdrawal"
      text={`For ${memberName(member.trader)}, to the stored payout address.`}
      confirm="Request Withdrawal"
      busy="Requesting..."
      isBusy={request.isPending}
      error={request.error ? messageOf(request.error) : null}
      onConfirm={() => request.mutate()}
      onClose={onClose}
    >
      <div className="mt-3 space-y-3">
        <TextField
          label="Amount (USDT)"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          disabled={isAll}
          onChange={({ target }) => setAmount(target.value)}
        />
        <p className="flex items-center gap-2 pl-1.5">
          <Checkbox label={EVERYTHING} checked={isAll} onChange={setAll} />
          <span aria-hidden="true">{EVERYTHING}</span>
        </p>
      </div>
    </AskDialog>
  );
}
