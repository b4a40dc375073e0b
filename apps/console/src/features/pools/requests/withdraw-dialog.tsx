import { decimalToUnits } from '@copydesk/domain/money';
import { call } from '../../../lib/api/api.ts';
import { exactUsdt } from '../../../lib/format/usdt.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { memberName } from '../pool/pool-texts.ts';
import { poolsKeys } from '../pools-keys.ts';
import type { PooledAccount, PoolMember } from '../pools-queries.ts';
import { WAITS_FOR_OTHER } from './request-texts.ts';

const EVERYTHING = 'Everything, whatever it is when the pool opens';

interface WithdrawDialogProps {
  pool: PooledAccount;
  member: PoolMember;
  onClose(): void;
}

/** Requests a withdrawal for a member. The pool pays it to the trader's payout address while it is open. */
export function WithdrawDialog({ pool, member, onClose }: WithdrawDialogProps) {
  const form = useDialogForm({
    values: { amount: '', isAll: false },
    findErrors: ({ amount, isAll }) => {
      const problem = isAll ? null : amountProblem(amount, member.virtual_balance);
      return problem === null ? null : { amount: problem };
    },
    send: ({ amount, isAll }, keyOf) => {
      const params = { id: pool.id };
      const body = { member_id: member.id, amount: isAll ? 'all' : amount.trim() };
      const idempotencyKey = keyOf({ ...params, ...body });
      return call('POST /api/pooled-accounts/{id}/withdrawals', { params, body, idempotencyKey });
    },
    done: ({ data }) => ({ tone: 'neutral', title: 'Withdrawal requested', text: nextWords(pool, data) }),
    reads: poolsKeys.all,
    onDone: onClose,
  });
  const { isAll } = form.values;
  return (
    <FormDialog
      form={form}
      title="Request withdrawal"
      text={`For ${memberName(member.trader)}.`}
      confirm="Request withdrawal"
      busy="Requesting..."
      onClose={onClose}
    >
      <WithdrawalFacts member={member} />
      <TextField
        label="Amount (USDT)"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        disabled={isAll}
        error={isAll ? undefined : form.errors.amount}
      />
      <p className="flex items-center gap-2 ps-1.5">
        <Checkbox label={EVERYTHING} checked={isAll} onChange={(checked) => form.set('isAll', checked)} />
        <span aria-hidden="true">{EVERYTHING}</span>
      </p>
    </FormDialog>
  );
}

/** What can be withdrawn, and where it goes. */
export function WithdrawalFacts({ member }: { member: PoolMember }) {
  const { virtual_balance, payout_address } = member;
  return (
    <Facts className="mt-3">
      <Fact label="Virtual balance">
        <Money amount={virtual_balance} as="exact" />
      </Fact>
      <Fact label="Paid to">
        {payout_address === null ? (
          <span className="text-caution">
            No address is stored. The withdrawal waits for one, and the bot asks the member.
          </span>
        ) : (
          <WholeAddress address={payout_address} />
        )}
      </Fact>
    </Facts>
  );
}

const AMOUNT = /^\d{1,12}(\.\d{1,18})?$/;

/** Why this amount cannot be asked for; null: it can. */
export function amountProblem(amount: string, balance: string): string | null {
  const typed = amount.trim();
  if (!AMOUNT.test(typed) || !/[1-9]/.test(typed)) return 'Enter an amount above 0';
  return (decimalToUnits(typed) ?? 0n) > (decimalToUnits(balance) ?? 0n)
    ? `More than the virtual balance of ${exactUsdt(balance)}`
    : null;
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
