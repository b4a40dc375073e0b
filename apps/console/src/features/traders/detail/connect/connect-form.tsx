import type { CallInput } from '@copydesk/contract';
import type { TraderExchange } from '@copydesk/contract/exchanges';
import type { Trader } from '@copydesk/contract/traders';
import {
  CREDENTIAL_MAX_LENGTH,
  CREDENTIAL_NAMES,
  CREDENTIALS,
  CREDENTIALS_REQUIRED,
} from '@copydesk/domain/trading';
import { useState } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { ApiError } from '../../../../lib/api/api-error.ts';
import { exchangeName } from '../../../../lib/format/exchange-name.ts';
import { type FieldErrors, useForm } from '../../../../lib/use-form.ts';
import { toast } from '../../../../ui/feedback/toast-store.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { FormError } from '../../../../ui/form/form-error.tsx';
import { SelectField } from '../../../../ui/form/select-field.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useExchangesChanged } from '../exchange-keys/use-exchanges-changed.ts';
import type { AvailableExchange } from './available-exchanges-query.ts';
import { EgressNote } from './egress-note.tsx';

interface ConnectFormProps {
  trader: Trader;
  available: readonly [AvailableExchange, ...AvailableExchange[]];
  /** The account whose key is replaced; undefined: another account is connected. */
  replaces?: TraderExchange | undefined;
  onClose(): void;
}

type Body = CallInput<'POST /api/traders/{id}/exchange'>['body'];

/** The fields are uncontrolled instead of state, so the typed values disappear with the dialog. */
export function ConnectForm({ trader, available, replaces, onClose }: ConnectFormProps) {
  const [chosen, choose] = useState<AvailableExchange>(available[0]);
  const changed = useExchangesChanged(trader.id);
  const fields = connectFields(chosen.fields);
  const [isAsked, setAsked] = useState(false);
  const names = ['provider_id', ...fields.map(({ wire }) => wire), ...(isAsked ? ['withdraw_reason'] : [])];

  const connect = async ({ provider_id = '', ...credentials }: Record<string, string>) => {
    const body: Body = { exchange: chosen.exchange, provider_id, ...credentials };
    if (replaces) Object.assign(body, { replaces: replaces.acc_uid });
    try {
      await call('POST /api/traders/{id}/exchange', { params: { id: trader.id }, body });
    } catch (error) {
      if (isReasonAsked(error)) setAsked(true);
      const { details = [], ...parts } = error instanceof ApiError ? error : { code: 'unknown', status: -1 };
      throw new ApiError({ ...parts, details, message: connectFailure(error) });
    }
    toast({
      tone: 'positive',
      title: replaces ? 'Key replaced' : 'Exchange connected',
      text: exchangeName(chosen.exchange),
    });
    changed();
    onClose();
  };
  const form = useForm(names, connect, findMissing);
  return (
    <form noValidate onSubmit={form.onSubmit} autoComplete="off" className="space-y-3.5">
      <FormError message={form.message} />
      {replaces ? (
        // Another key changes neither the exchange nor the provider of the account.
        <input type="hidden" name="provider_id" value={replaces.provider_id} />
      ) : (
        <div className="grid gap-3.5 sm:grid-cols-2">
          <SelectField
            label="Exchange"
            autoFocus
            value={chosen.exchange}
            options={available.map(({ exchange, connected }) => ({
              value: exchange,
              label:
                connected > 0 ? `${exchangeName(exchange)} (${connected} connected)` : exchangeName(exchange),
            }))}
            onChange={({ target }) => {
              choose(available.find(({ exchange }) => exchange === target.value) ?? chosen);
              setAsked(false);
            }}
          />
          <SelectField
            key={chosen.exchange}
            label="Provider"
            name="provider_id"
            defaultValue={
              chosen.providers.find(({ id }) => id === trader.selected_provider_id)?.id ??
              chosen.providers[0]?.id
            }
            options={chosen.providers.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
      {fields.map(({ wire: name, label, isCovered }, index) => (
        <TextField
          key={`${chosen.exchange} ${name}`}
          label={label}
          name={name}
          autoFocus={replaces !== undefined && index === 0}
          type={isCovered ? 'password' : 'text'}
          // A password manager would offer to store it, and to fill in another.
          autoComplete={isCovered ? 'new-password' : 'off'}
          spellCheck={false}
          maxLength={CREDENTIAL_MAX_LENGTH}
          error={form.errors[name]}
        />
      ))}
      {isAsked && (
        <TextField
          label="Why this key may withdraw"
          name="withdraw_reason"
          hint="It is recorded in the audit trail, and the account stays marked"
          maxLength={200}
          autoComplete="off"
          autoFocus
          error={form.errors.withdraw_reason}
        />
      )}
      {chosen.exchange !== 'hyperliquid' && <EgressNote />}
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" aria-disabled={form.isBusy}>
          {form.isBusy ? 'Connecting...' : isAsked ? 'Connect anyway' : replaces ? 'Replace' : 'Connect'}
        </Button>
      </div>
    </form>
  );
}

/** The reason why connecting an account failed (console spec, section 8). */
export function connectFailure(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) return 'Network error occurred';
  if (isReasonAsked(error)) return error.message;
  return error instanceof Error && error.message ? `Setup failed: ${error.message}` : 'Setup failed';
}

/** The key works, and may withdraw: it is connected once there is a reason. */
const isReasonAsked = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'key_may_withdraw';

const FIELDS = CREDENTIAL_NAMES.map((name) => CREDENTIALS[name]);
type ConnectField = (typeof FIELDS)[number];

/** The fields that an exchange needs, in the server's order. */
export function connectFields(names: readonly string[]): ConnectField[] {
  return names.flatMap((name) => FIELDS.find(({ wire }) => wire === name) ?? []);
}

/** The credentials that the specification's sentence names. */
const SENTENCE_OF: ReadonlySet<string> = new Set(
  FIELDS.map(({ wire }) => wire).filter((wire) => CREDENTIALS_REQUIRED.includes(wire)),
);

/** Every field is required; only the exchange knows the format of a credential. */
export function findMissing(fields: Readonly<Record<string, string>>): FieldErrors | null {
  const missing = Object.keys(fields).filter((name) => fields[name]?.trim() === '');
  return missing.length > 0
    ? Object.fromEntries(
        missing.map((name) => [name, SENTENCE_OF.has(name) ? CREDENTIALS_REQUIRED : 'Required']),
      )
    : null;
}
