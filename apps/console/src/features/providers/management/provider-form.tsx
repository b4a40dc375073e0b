import { PROVIDER_EXCHANGES } from '@copydesk/domain/catalogue';
import { type FormEvent, useState } from 'react';
import { ApiError, isChangedMeanwhile, messageOf } from '../../../lib/api/api-error.ts';
import { exchangeName } from '../../../lib/format/exchange-name.ts';
import type { FieldErrors } from '../../../lib/use-form.ts';
import { Button } from '../../../ui/form/button.tsx';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { Provider } from '../providers-queries.ts';
import { type ProviderForm as Fields, providerErrors, sharePreview } from './provider-fields.ts';
import { ProviderSplitPreview } from './provider-split-preview.tsx';
import type { useSaveProvider } from './use-save-provider.ts';

interface ProviderFormProps {
  provider: Provider | null;
  form: Fields;
  onChange(changes: Partial<Fields>): void;
  save: ReturnType<typeof useSaveProvider>;
  onClose(): void;
}

/** The fields of a provider: those of the spec first. */
export function ProviderForm({ provider, form, onChange, save, onClose }: ProviderFormProps) {
  const [missing, setMissing] = useState<FieldErrors>({});
  const refused =
    save.error instanceof ApiError && !isChangedMeanwhile(save.error)
      ? Object.fromEntries(save.error.details.map(({ path, message }) => [path, message]))
      : {};
  const errors: FieldErrors = { ...refused, ...missing };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = providerErrors(form);
    setMissing(found ?? {});
    if (found) event.currentTarget.querySelector<HTMLElement>(`[name="${Object.keys(found)[0]}"]`)?.focus();
    else if (!save.isPending) save.mutate(form);
  };
  const field = (name: keyof Fields & keyof typeof TEXTS) => ({
    label: TEXTS[name],
    name,
    value: form[name] as string,
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
    error: errors[name],
  });
  const share = sharePreview(form.payment_split_percentage);
  const rate = sharePreview(form.minimum_commission_rate);
  const isShown = save.error !== null && Object.keys(refused).length === 0;
  return (
    <form noValidate onSubmit={submit} className="space-y-3.5">
      <FormError message={isShown ? refusal(provider, save.error) : null} />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField {...field('name')} maxLength={200} autoFocus hint="Internal, unique" />
        <TextField {...field('display_name')} maxLength={200} hint="Shown on every screen" />
      </div>
      <TextField
        {...field('payment_split_percentage')}
        inputMode="decimal"
        hint={share ? `${share} of every invoice of its traders` : 'From 0 to 1'}
      />
      {provider && (
        <ProviderSplitPreview
          provider={provider}
          share={share ? Number(form.payment_split_percentage).toFixed(2) : null}
        />
      )}
      <fieldset>
        <legend className="font-medium">Supported exchanges</legend>
        <div className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
          {PROVIDER_EXCHANGES.map((exchange) => (
            <CheckField
              key={exchange}
              label={exchangeName(exchange)}
              checked={form.supported_exchanges.includes(exchange)}
              onChange={({ target }) =>
                onChange({
                  supported_exchanges: target.checked
                    ? [...form.supported_exchanges, exchange]
                    : form.supported_exchanges.filter((each) => each !== exchange),
                })
              }
            />
          ))}
        </div>
        <p className="mt-1 text-xs text-muted">
          None selected means all. Hyperliquid is always accepted. Existing accounts stay connected.
        </p>
      </fieldset>
      <TextField
        {...field('payout_address')}
        isMono
        maxLength={42}
        hint="On BNB Smart Chain. Payouts to a new address start after its hold. Without an address the shares wait."
      />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField
          {...field('minimum_commission_rate')}
          inputMode="decimal"
          hint={
            rate && rate !== '0%'
              ? `At least ${rate} of its traders' profit is invoiced`
              : 'From 0 to 1; 0: none'
          }
        />
        <TextField
          {...field('telegram_admin_channel_id')}
          maxLength={64}
          hint="Kept for the provider's own bots: Copydesk does not post there"
        />
      </div>
      <CheckField
        label="Active"
        checked={form.is_active}
        onChange={({ target }) => onChange({ is_active: target.checked })}
        hint="An inactive provider takes no new traders, accounts or communities. Those it has stay: accounts are read, and invoices follow the invoicing switch."
      />
      <CheckField
        label="Only super admins reveal exchange secrets"
        checked={form.reveal_super_only}
        onChange={({ target }) => onChange({ reveal_super_only: target.checked })}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" aria-disabled={save.isPending}>
          {save.isPending ? 'Saving...' : provider ? 'Save' : 'Create provider'}
        </Button>
      </div>
    </form>
  );
}

const TEXTS = {
  name: 'Name',
  display_name: 'Display name',
  payment_split_percentage: 'Payment split',
  payout_address: 'Payout address',
  minimum_commission_rate: 'Minimum commission rate',
  telegram_admin_channel_id: 'Telegram admin channel',
} as const;

/** The text of the spec, and the server's reason (super-admin spec, section 8). */
const refusal = (provider: Provider | null, error: unknown) =>
  `${provider ? 'Failed to update provider' : 'Failed to create provider'}. ${messageOf(error)}`;
