import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import type { PooledAccount } from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { FEE_WORDS } from './pool-words.ts';

type FeeBasis = PooledAccount['fee_basis'];

/** The terms of a pool. They hold from now on; results that are booked stay as they are. */
export function PoolSettingsDialog({ pool, onClose }: { pool: PooledAccount; onClose(): void }) {
  const [minimum, setMinimum] = useState(pool.minimum_deposit);
  const [feeBasis, setFeeBasis] = useState<FeeBasis>(pool.fee_basis);
  const [hasBot, setHasBot] = useState(pool.has_bot);
  const [isActive, setActive] = useState(pool.is_active);
  const [maxDrawdown, setMaxDrawdown] = useState(pool.max_drawdown_percentage ?? '');
  const params = { id: pool.id };
  const body = {
    minimum_deposit: minimum.trim(),
    fee_basis: feeBasis,
    has_bot: hasBot,
    is_active: isActive,
    max_drawdown_percentage: maxDrawdown.trim() || null,
  };
  const act = usePoolAct({
    request: { ...params, ...body },
    send: (idempotencyKey) => call('PUT /api/pooled-accounts/{id}', { params, body, idempotencyKey }),
    done: { title: 'Settings saved', text: pool.community.name },
    onClose,
  });
  return (
    <AskDialog
      title="Pool Settings"
      text="Changes hold from now on. Results that are booked stay as they are."
      confirm="Save"
      busy="Saving..."
      {...act}
    >
      <div className="space-y-3.5">
        <TextField
          label="Minimum deposit (USDT)"
          name="minimum_deposit"
          inputMode="decimal"
          autoComplete="off"
          hint="Smaller deposits wait until they add up to it."
          value={minimum}
          onChange={({ target }) => setMinimum(target.value)}
        />
        <SelectField
          label="Fee basis"
          value={feeBasis}
          options={Object.entries(FEE_WORDS).map(([value, label]) => ({ value, label }))}
          onChange={({ target }) => setFeeBasis(target.value as FeeBasis)}
        />
        <SelectField
          label="Trading is paused and resumed by"
          value={hasBot ? 'bot' : 'operator'}
          options={[
            { value: 'bot', label: 'The trading bot' },
            { value: 'operator', label: 'An operator, who confirms it' },
          ]}
          onChange={({ target }) => setHasBot(target.value === 'bot')}
        />
        <TextField
          label="Circuit breaker (% of drawdown)"
          name="max_drawdown_percentage"
          inputMode="decimal"
          autoComplete="off"
          hint="At this drawdown a harvest cannot be stopped, so the pool does not trade on. Empty: no limit. After you raise it, another super admin has to stop the harvest."
          value={maxDrawdown}
          onChange={({ target }) => setMaxDrawdown(target.value)}
        />
        <SelectField
          label="State"
          value={isActive ? 'active' : 'inactive'}
          options={[
            { value: 'active', label: 'Active' },
            { value: 'inactive', label: 'Inactive: left out of global harvests' },
          ]}
          onChange={({ target }) => setActive(target.value === 'active')}
        />
      </div>
    </AskDialog>
  );
}
