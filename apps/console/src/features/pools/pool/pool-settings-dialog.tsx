import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { PooledAccount } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { FEE_WORDS } from './pool-texts.ts';

type FeeBasis = PooledAccount['fee_basis'];

const formOf = (pool: PooledAccount) => ({
  minimum_deposit: pool.minimum_deposit,
  fee_basis: pool.fee_basis,
  has_bot: pool.has_bot,
  is_active: pool.is_active,
  max_drawdown_percentage: pool.max_drawdown_percentage ?? '',
});
type Form = ReturnType<typeof formOf>;

/** Only what differs. */
function changesOf(before: Form, { minimum_deposit, max_drawdown_percentage: limit, ...rest }: Form) {
  const after = {
    ...rest,
    minimum_deposit: minimum_deposit.trim(),
    max_drawdown_percentage: limit.trim() || null,
  };
  const was = { ...before, max_drawdown_percentage: before.max_drawdown_percentage || null };
  const names = (Object.keys(after) as (keyof Form)[]).filter((name) => after[name] !== was[name]);
  return Object.fromEntries(names.map((name) => [name, after[name]])) as Partial<typeof after>;
}

/** What becomes of the exchange account. */
const SWITCH_WORDS = {
  off: 'Its exchange account is released: a trader or another pool may connect it.',
  on: 'It takes its exchange account again, unless a trader or another pool has connected it meanwhile.',
} as const;

/** The terms of a pool. They hold from now on; results that are booked stay as they are. */
export function PoolSettingsDialog({ pool, onClose }: { pool: PooledAccount; onClose(): void }) {
  const [form, setForm] = useState(() => formOf(pool));
  const { seen, refused } = useSeen(pool, (present) => setForm(formOf(present)));
  const changes = changesOf(formOf(seen), form);
  const params = { id: pool.id };
  const body = { ...changes, version: seen.version };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) => call('PUT /api/pooled-accounts/{id}', { params, body, idempotencyKey }),
    done: { title: 'Settings saved', text: pool.community.name },
    onClose,
    onError: refused,
  });
  return (
    <AskDialog
      title="Pool Settings"
      text="Changes hold from now on. Results that are booked stay as they are."
      confirm="Save"
      busy="Saving..."
      {...act}
      onConfirm={() => {
        if (Object.keys(changes).length > 0) return act.onConfirm();
        toast({ tone: 'neutral', title: 'No changes to save' });
        onClose();
      }}
    >
      <div className="space-y-3.5">
        <TextField
          label="Minimum deposit (USDT)"
          name="minimum_deposit"
          inputMode="decimal"
          autoComplete="off"
          hint="Smaller deposits wait until they add up to it."
          value={form.minimum_deposit}
          onChange={({ target }) => setForm({ ...form, minimum_deposit: target.value })}
        />
        <SelectField
          label="Fee basis"
          value={form.fee_basis}
          options={Object.entries(FEE_WORDS).map(([value, label]) => ({ value, label }))}
          onChange={({ target }) => setForm({ ...form, fee_basis: target.value as FeeBasis })}
        />
        <SelectField
          label="Trading is paused and resumed by"
          value={form.has_bot ? 'bot' : 'operator'}
          options={[
            { value: 'bot', label: 'The trading bot' },
            { value: 'operator', label: 'An operator, who confirms it' },
          ]}
          onChange={({ target }) => setForm({ ...form, has_bot: target.value === 'bot' })}
        />
        <TextField
          label="Circuit breaker (% of drawdown)"
          name="max_drawdown_percentage"
          inputMode="decimal"
          autoComplete="off"
          hint="At this drawdown a harvest cannot be stopped, so the pool does not trade on. Empty: no limit. After you raise it, another super admin has to stop the harvest."
          value={form.max_drawdown_percentage}
          onChange={({ target }) => setForm({ ...form, max_drawdown_percentage: target.value })}
        />
        <SelectField
          label="State"
          value={form.is_active ? 'active' : 'inactive'}
          options={[
            { value: 'active', label: 'Active' },
            { value: 'inactive', label: 'Inactive: left out of harvests' },
          ]}
          onChange={({ target }) => setForm({ ...form, is_active: target.value === 'active' })}
        />
        {form.is_active !== seen.is_active && (
          <p role="status" className="text-xs text-pretty text-muted">
            {SWITCH_WORDS[form.is_active ? 'on' : 'off']}
          </p>
        )}
      </div>
    </AskDialog>
  );
}
