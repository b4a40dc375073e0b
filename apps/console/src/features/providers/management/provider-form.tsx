import { PROVIDER_EXCHANGES } from '@copydesk/domain/catalogue';
import { exchangeName } from '../../../lib/format/exchange-name.ts';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { CheckList } from '../../../ui/form/check-list.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { Provider } from '../providers-queries.ts';
import { type ProviderForm, sharePreview } from './provider-fields.ts';
import { ProviderSplitPreview } from './provider-split-preview.tsx';

interface ProviderFieldsProps {
  provider: Provider | null;
  values: ProviderForm;
}

/** The fields of a provider: those of the spec first. */
export function ProviderFields({ provider, values }: ProviderFieldsProps) {
  const share = sharePreview(values.payment_split_percentage);
  const rate = sharePreview(values.minimum_commission_rate);
  return (
    <>
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField label="Name" name="name" {...PLAIN} maxLength={200} autoFocus hint="Internal, unique" />
        <TextField
          label="Display name"
          name="display_name"
          {...PLAIN}
          maxLength={200}
          hint="Shown on every screen"
        />
      </div>
      <TextField
        label="Payment split"
        name="payment_split_percentage"
        {...PLAIN}
        inputMode="decimal"
        hint={share ? `${share} of every invoice of its traders` : 'From 0 to 1'}
      />
      {provider && (
        <ProviderSplitPreview
          provider={provider}
          share={share ? Number(values.payment_split_percentage).toFixed(2) : null}
        />
      )}
      <CheckList
        legend="Supported exchanges"
        name="supported_exchanges"
        layout="flex flex-wrap gap-x-5 gap-y-1"
        options={PROVIDER_EXCHANGES.map((value) => ({ value, label: exchangeName(value) }))}
        hint="None selected means all. Hyperliquid is always accepted. Existing accounts stay connected."
      />
      <TextField
        label="Payout address"
        name="payout_address"
        {...PLAIN}
        isMono
        maxLength={42}
        hint="On BNB Smart Chain. Payouts to a new address start after its hold. Without an address the shares wait."
      />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField
          label="Minimum commission rate"
          name="minimum_commission_rate"
          {...PLAIN}
          inputMode="decimal"
          hint={
            rate && rate !== '0%'
              ? `At least ${rate} of its traders' profit is invoiced`
              : 'From 0 to 1; 0: none'
          }
        />
        <TextField
          label="Telegram admin channel"
          name="telegram_admin_channel_id"
          {...PLAIN}
          maxLength={64}
          hint="Kept for the provider's own bots: Copydesk does not post there"
        />
      </div>
      <CheckField
        label="Active"
        name="is_active"
        hint="An inactive provider takes no new traders, accounts or communities. Those it has stay: accounts are read, and invoices follow the invoicing switch."
      />
      <CheckField label="Only super admins reveal exchange secrets" name="reveal_super_only" />
    </>
  );
}

const PLAIN = { autoComplete: 'off', spellCheck: false } as const;
