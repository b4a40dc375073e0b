import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { Checkbox } from '../../../ui/forms/checkbox.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { memberName } from '../pool/pool-words.ts';
import type { PooledAccount, PoolMember } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { WAITS_FOR_OTHER } from './request-words.ts';

const EVERYTHING = 'Everything, whatever it is when the pool opens';

interface WithdrawDialogProps {
  pool: PooledAccount;
  member: PoolMember;
  onClose(): void;
}

/** Requests a withdrawal for a member. The pool pays it to the trader's payout address while it is open. */
export function WithdrawDialog({ pool, member, onClose }: WithdrawDialogProps) {
  const [isAll, setAll] = useState(false);
  const [amount, setAmount] = useState('');
  const params = { id: pool.id };
  const body = { member_id: member.id, amount: isAll ? 'all' : amount.trim() };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/withdrawals', { params, body, idempotencyKey }),
    done: ({ data }) => ({ title: 'Withdrawal requested', text: nextWords(pool, data) }),
    onClose,
  });
  return (
    <AskDialog
      title="Request Withdrawal"
      text={`For ${memberName(member.trader)}, to the stored payout address.`}
      confirm="Request Withdrawal"
      busy="Requesting..."
      {...act}
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

interface Answered {
  state: 'done' | 'awaiting_approval';
  suggests_all: boolean;
}

function nextWords({ current_harvest_cycle: { step } }: PooledAccount, answer: Answered): string {
  if (answer.state === 'awaiting_approval') return WAITS_FOR_OTHER;
  if (answer.suggests_all) return 'Less than 1 USDT will remain. Consider withdrawing everything.';
  return step === 'open' ? 'It is paid while the pool is open.' : 'It waits until the pool opens.';
}
