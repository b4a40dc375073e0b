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
import type { FieldErrors } from '../../../../ui/form/form-context.ts';
import { FormDialog } from '../../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../../ui/form/select-field.tsx';
import { TextField } from '../../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../../ui/form/use-dialog-form.ts';
import { useExchangesChanged } from '../exchange-keys/use-exchanges-changed.ts';
import type { AvailableExchange } from './available-exchanges-query.ts';
import { EgressNote } from './egress-note.tsx';

interface ConnectFormProps {
  title: string;
  text: string;
  trader: Trader;
  available: readonly [AvailableExchange, ...AvailableExchange[]];
  /** The account whose key is replaced; undefined: another account is connected. */
  replaces: TraderExchange | undefined;
  onClose(): void;
}

type Body = CallInput<'POST /api/traders/{id}/exchange'>['body'];

/** The typed credentials are in the form alone, and disappear with the dialog. */
export function ConnectForm({ title, text, trader, available, replaces, onClose }: ConnectFormProps) {
  const [chosen, choose] = useState<AvailableExchange>(available[0]);
  const changed = useExchangesChanged(trader.id);
  const fields = connectFields(chosen.fields);
  const [isAsked, setAsked] = useState(false);
  const names = ['provider_id', ...fields.map(({ wire }) => wire), ...(isAsked ? ['withdraw_reason'] : [])];

  const form = useDialogForm({
    values: emptyFor(chosen, trader, replaces),
    findErrors: (values) => findMissing(picked(values, names)),
    send: async (values) => {
      const { provider_id = '', ...credentials } = picked(values, names);
      const body: Body = { exchange: chosen.exchange, provider_id, ...credentials };
      if (replaces) Object.assign(body, { replaces: replaces.acc_uid });
      try {
        await call('POST /api/traders/{id}/exchange', { params: { id: trader.id }, body });
      } catch (error) {
        if (isReasonAsked(error)) setAsked(true);
        throw error;
      }
    },
    done: () => ({
      title: replaces ? 'Key replaced' : 'Exchange connected',
      text: exchangeName(chosen.exchange),
    }),
    refusal: connectFailure,
    onDone: () => {
      changed();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={title}
      text={text}
      confirm={isAsked ? 'Connect anyway' : replaces ? 'Replace' : 'Connect'}
      busy="Connecting..."
      leave="Cancel"
      onClose={onClose}
    >
      {/* Another key changes neither the exchange nor the provider of the account. */}
      {!replaces && (
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
              const next = available.find(({ exchange }) => exchange === target.value) ?? chosen;
              choose(next);
              form.goOn(emptyFor(next, trader, replaces), {});
              setAsked(false);
            }}
          />
          <SelectField
            key={chosen.exchange}
            label="Provider"
            name="provider_id"
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
        />
      )}
      {chosen.exchange !== 'hyperliquid' && <EgressNote />}
    </FormDialog>
  );
}

type Values = Record<string, string>;

/** An empty form for the accounts of an exchange. */
const emptyFor = (
  { providers, fields }: AvailableExchange,
  trader: Trader,
  replaces: TraderExchange | undefined,
): Values => ({
  ...Object.fromEntries(fields.map((name) => [name, ''])),
  withdraw_reason: '',
  provider_id:
    replaces?.provider_id ??
    providers.find(({ id }) => id === trader.selected_provider_id)?.id ??
    providers[0]?.id ??
    '',
});

const picked = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? '']));

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
