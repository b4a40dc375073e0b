import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { type FieldErrors, useForm } from '../../../lib/use-form.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { FEE_WORDS } from '../pool/pool-texts.ts';
import { type PooledAccount, poolsKeys } from '../pools-queries.ts';
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
const NAMES = ['community_id', 'apiKey', 'secretKey', 'minimum_deposit', 'fee_basis', 'has_bot'] as const;
type Fields = Record<(typeof NAMES)[number], string>;

/** The fields of the first step: the others are checked when the pool is connected. */
const KEY_FIELDS = ['community_id', 'apiKey', 'secretKey'] as const;
const MISSING = {
  community_id: 'Choose a community',
  ...KEY_MISSING,
};
const MINIMUM = /^\d{1,12}(\.\d{1,6})?$/;

function findErrors(fields: Fields): FieldErrors | null {
  const errors: Record<string, string> = {};
  for (const name of KEY_FIELDS) if (!fields[name].trim()) errors[name] = MISSING[name];
  const minimum = fields.minimum_deposit.trim();
  if (!MINIMUM.test(minimum) || !/[1-9]/.test(minimum))
    errors.minimum_deposit = 'Enter an amount above 0, with at most 6 decimals';
  return Object.keys(errors).length > 0 ? errors : null;
}

const TEXTS = {
  0: "Connects the community's own Bybit account. The key may trade and move funds within the account, and may not withdraw.",
  1: 'The terms hold for every member of the pool and can be changed later.',
  2: 'The key works. Another super admin has to approve the connection before the pool takes part in anything.',
} as const;

/** Connects the exchange account of a community as a pool, step by step. */
export function ConnectPoolDialog({ communities, onClose }: ConnectPoolDialogProps) {
  const client = useQueryClient();
  const [step, setStep] = useState<0 | 1>(0);
  const [missing, setMissing] = useState<FieldErrors>({});
  const [connected, setConnected] = useState<PooledAccount | null>(null);
  const form = useForm<Fields>(
    NAMES,
    async ({ has_bot, fee_basis, ...fields }) => {
      const body = {
        ...fields,
        fee_basis: fee_basis as PooledAccount['fee_basis'],
        has_bot: has_bot === 'bot',
      };
      try {
        setConnected((await call('POST /api/pooled-accounts', { body })).data);
      } catch (error) {
        // Whatever the server refuses is about the key or the community.
        setStep(0);
        throw error;
      } finally {
        void client.invalidateQueries({ queryKey: poolsKeys.all });
      }
    },
    findErrors,
  );
  const isTyped = useRef(false);
  const check = useMutation({
    mutationFn: (body: Record<(typeof KEY_FIELDS)[number], string>) =>
      call('POST /api/pooled-accounts/check-key', { body }),
    // Another key was typed meanwhile: it is checked before anything goes on.
    onSuccess: () => !isTyped.current && setStep(1),
  });
  /** Something was typed after the refusal: it is about another key. */
  const [isOutdated, setOutdated] = useState(false);
  const errors = isOutdated ? {} : { ...form.errors, ...missing };
  const refusal = check.error ? messageOf(check.error) : form.message;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    setOutdated(false);
    if (step === 1) return void form.onSubmit(event);
    event.preventDefault();
    if (check.isPending) return;
    check.reset();
    isTyped.current = false;
    const data = new FormData(event.currentTarget);
    const found = KEY_FIELDS.filter((name) => !String(data.get(name) ?? '').trim());
    setMissing(Object.fromEntries(found.map((name) => [name, MISSING[name]])));
    const key = Object.fromEntries(KEY_FIELDS.map((name) => [name, String(data.get(name)).trim()]));
    if (found.length === 0) check.mutate(key as Record<(typeof KEY_FIELDS)[number], string>);
    else event.currentTarget.querySelector<HTMLElement>(`[name="${found[0]}"]`)?.focus();
  };
  const at = connected ? 2 : step;
  return (
    <Dialog title="Connect pooled account" text={TEXTS[at]} onClose={onClose}>
      <StepLine at={at} />
      {connected ? (
        <WhitelistStep pool={connected} onClose={onClose} />
      ) : (
        <form
          noValidate
          onSubmit={submit}
          onInput={() => {
            isTyped.current = true;
            setOutdated(true);
          }}
          autoComplete="off"
          className="space-y-3.5"
        >
          <FormError message={isOutdated ? null : refusal} />
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
            <KeyFields errors={errors} />
          </div>
          <div hidden={step !== 1} className="space-y-3.5">
            <TextField
              label="Minimum deposit (USDT)"
              name="minimum_deposit"
              inputMode="decimal"
              autoComplete="off"
              defaultValue="100"
              error={errors.minimum_deposit}
              hint="Smaller deposits wait until they add up to it."
            />
            <SelectField
              label="Fee basis"
              name="fee_basis"
              defaultValue="net_carry"
              options={Object.entries(FEE_WORDS).map(([value, label]) => ({ value, label }))}
            />
            <SelectField
              label="Trading is paused and resumed by"
              name="has_bot"
              defaultValue="bot"
              options={[
                { value: 'bot', label: 'The trading bot' },
                { value: 'operator', label: 'An operator, who confirms it' },
              ]}
            />
          </div>
          <div className="flex justify-end gap-2 pt-1">
            <Button onClick={step === 0 ? onClose : () => setStep(0)}>
              {step === 0 ? 'Cancel' : 'Back'}
            </Button>
            <Button type="submit" look="primary" aria-disabled={form.isBusy || check.isPending}>
              {step === 0
                ? check.isPending
                  ? 'Checking...'
                  : 'Next'
                : form.isBusy
                  ? 'Connecting...'
                  : 'Connect pool'}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** Which of the steps this is. */
function StepLine({ at }: { at: number }) {
  return (
    <ol className="mb-4 flex gap-4 border-b border-line pb-2 text-xs">
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
