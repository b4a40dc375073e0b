import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { Dialog } from '../../../ui/form/dialog.tsx';
import type { FieldErrors } from '../../../ui/form/form-context.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { FEE_WORDS } from '../pool/pool-texts.ts';
import { poolsKeys } from '../pools-keys.ts';
import type { PooledAccount } from '../pools-queries.ts';
import { KEY_MISSING, KeyFields } from './key-fields.tsx';
import { WhitelistStep } from './whitelist-step.tsx';

export interface NamedCommunity {
  id: string;
  name: string;
  /** An archived community gets no pool. */
  is_archived: boolean;
}

interface ConnectPoolDialogProps {
  /** Communities without a pool. */
  communities: readonly NamedCommunity[];
  onClose(): void;
}

const STEPS = ['Key', 'Terms', 'Whitelist'] as const;
/** The fields of the first step: the others are checked when the pool is connected. */
const KEY_FIELDS = ['community_id', 'apiKey', 'secretKey'] as const;
const MISSING = {
  community_id: 'Choose a community',
  ...KEY_MISSING,
};
const MINIMUM = /^\d{1,12}(\.\d{1,6})?$/;

function findErrors(
  values: Record<keyof typeof MISSING | 'minimum_deposit', string>,
  step: 0 | 1,
): FieldErrors {
  const errors: Record<string, string> = {};
  for (const name of KEY_FIELDS) if (!values[name].trim()) errors[name] = MISSING[name];
  const minimum = values.minimum_deposit.trim();
  if (step === 1 && (!MINIMUM.test(minimum) || !/[1-9]/.test(minimum)))
    errors.minimum_deposit = 'Enter an amount above 0, with at most 6 decimals';
  return errors;
}

const TEXTS = {
  0: "Connects the community's own Bybit account. The key may trade and move funds within the account, and may not withdraw.",
  1: 'The terms hold for every member of the pool and can be changed later.',
  2: 'The key works. Another super admin has to approve the connection before the pool takes part in anything.',
} as const;

/** Connects the exchange account of a community as a pool, step by step. */
export function ConnectPoolDialog({ communities, onClose }: ConnectPoolDialogProps) {
  const [step, setStep] = useState<0 | 1>(0);
  const [connected, setConnected] = useState<PooledAccount | null>(null);
  /** Something was typed after the last request, which checked another key. */
  const [isOutdated, setOutdated] = useState(false);
  const isTyped = useRef(false);
  const form = useDialogForm({
    values: {
      community_id: communities[0]?.id ?? '',
      apiKey: '',
      secretKey: '',
      minimum_deposit: '100',
      fee_basis: 'net_carry' as PooledAccount['fee_basis'],
      has_bot: 'bot',
    },
    findErrors: (values) => findErrors(values, step),
    send: async ({ has_bot, ...values }) => {
      if (step === 1)
        return (await call('POST /api/pooled-accounts', { body: { ...values, has_bot: has_bot === 'bot' } }))
          .data;
      const { community_id, apiKey, secretKey } = values;
      await call('POST /api/pooled-accounts/check-key', {
        body: { community_id, apiKey: apiKey.trim(), secretKey: secretKey.trim() },
      });
      return null;
    },
    done: () => null,
    onDone: (pool) => {
      if (pool) setConnected(pool);
      // Another key was typed meanwhile: it is checked before anything goes on.
      else if (!isTyped.current) setStep(1);
    },
    // Every refusal of the server is about the key or the community.
    onError: () => setStep(0),
    ...(step === 1 && { reads: poolsKeys.all }),
  });
  const at = connected ? 2 : step;
  const words = { title: 'Connect pooled account', text: TEXTS[at], onClose };
  if (connected)
    return (
      <Dialog {...words}>
        <div className="mb-4">
          <StepLine at={at} />
        </div>
        <WhitelistStep pool={connected} onClose={onClose} />
      </Dialog>
    );
  const submit = (element: HTMLFormElement) => {
    setOutdated(false);
    isTyped.current = false;
    form.submit(element);
  };
  return (
    <FormDialog
      form={{ ...form, submit, error: isOutdated ? null : form.error }}
      {...words}
      confirm={step === 0 ? 'Next' : 'Connect pool'}
      busy={step === 0 ? 'Checking...' : 'Connecting...'}
      leave={step === 0 ? 'Cancel' : 'Back'}
      onLeave={step === 0 ? undefined : () => setStep(0)}
    >
      <StepLine at={at} />
      <div
        onInput={() => {
          isTyped.current = true;
          setOutdated(true);
        }}
      >
        <div hidden={step !== 0} className="space-y-3.5">
          <SelectField
            label="Community"
            name="community_id"
            options={
              communities.length > 0
                ? communities.map(({ id, name }) => ({ value: id, label: name }))
                : [{ value: '', label: 'Every community has a pool' }]
            }
          />
          <KeyFields />
        </div>
        <div hidden={step !== 1} className="space-y-3.5">
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
            name="has_bot"
            options={[
              { value: 'bot', label: 'The trading bot' },
              { value: 'operator', label: 'An operator, who confirms it' },
            ]}
          />
        </div>
      </div>
    </FormDialog>
  );
}

/** Which of the steps this is. */
function StepLine({ at }: { at: number }) {
  return (
    <ol className="flex gap-4 border-b border-line pb-2 text-xs">
      {STEPS.map((name, nth) => (
        <li
          key={name}
          aria-current={nth === at ? 'step' : undefined}
          className={clsx('tabular-nums', nth === at ? 'font-medium text-ink' : 'text-muted')}
        >
          {nth + 1}. {name}
        </li>
      ))}
    </ol>
  );
}
