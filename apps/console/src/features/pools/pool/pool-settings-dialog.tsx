import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
import { poolsKeys } from '../pools-keys.ts';
import type { PooledAccount } from '../pools-queries.ts';
import { FEE_WORDS } from './pool-texts.ts';

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
  const form = useEditForm({
    record: pool,
    valuesOf: formOf,
    changesOf: (values, seen) => changesOf(formOf(seen), values),
    send: (body, keyOf) => {
      const params = { id: pool.id };
      const idempotencyKey = keyOf({ ...params, ...body });
      return call('PUT /api/pooled-accounts/{id}', { params, body, idempotencyKey });
    },
    done: () => ({ tone: 'neutral', title: 'Settings saved', text: pool.community.name }),
    reads: poolsKeys.all,
    onDone: onClose,
    onClose,
  });
  const { has_bot, is_active } = form.values;
  return (
    <FormDialog
      form={form}
      title="Pool Settings"
      text="Changes hold from now on. Results that are booked stay as they are."
      confirm="Save"
      busy="Saving..."
      onClose={onClose}
    >
      <TextField
        label="Minimum deposit (USDT)"
        name="minimum_deposit"
        inputMode="decimal"
        autoComplete="off"
        hint="Smaller deposits wait until they add up to it."
      />
      <SelectField
        label="Fee basis"
        name="fee_basis"
        options={Object.entries(FEE_WORDS).map(([value, label]) => ({ value, label }))}
      />
      <SelectField
        label="Trading is paused and resumed by"
        value={has_bot ? 'bot' : 'operator'}
        options={[
          { value: 'bot', label: 'The trading bot' },
          { value: 'operator', label: 'An operator, who confirms it' },
        ]}
        onChange={({ target }) => form.set('has_bot', target.value === 'bot')}
      />
      <TextField
        label="Circuit breaker (% of drawdown)"
        name="max_drawdown_percentage"
        inputMode="decimal"
        autoComplete="off"
        hint="At this drawdown a harvest cannot be stopped, so the pool does not trade on. Empty: no limit. After you raise it, another super admin has to stop the harvest."
      />
      <SelectField
        label="State"
        value={is_active ? 'active' : 'inactive'}
        options={[
          { value: 'active', label: 'Active' },
          { value: 'inactive', label: 'Inactive: left out of harvests' },
        ]}
        onChange={({ target }) => form.set('is_active', target.value === 'active')}
      />
      {is_active !== form.seen.is_active && (
        <p role="status" className="text-xs text-pretty text-muted">
          {SWITCH_WORDS[is_active ? 'on' : 'off']}
        </p>
      )}
    </FormDialog>
  );
}
