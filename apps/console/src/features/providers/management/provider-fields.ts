import { type Exchange, PROVIDER_EXCHANGES } from '@copydesk/domain/catalogue';
import { BUSINESS_DEFAULTS } from '@copydesk/domain/settings';
import { shownPercentage } from '../../../lib/format/figures.ts';
import type { FieldErrors } from '../../../ui/form/form-context.ts';
import type { Provider } from '../providers-queries.ts';

/** The form of a provider, as typed. */
export interface ProviderForm {
  name: string;
  display_name: string;
  payment_split_percentage: string;
  supported_exchanges: readonly Exchange[];
  is_active: boolean;
  payout_address: string;
  minimum_commission_rate: string;
  telegram_admin_channel_id: string;
  reveal_super_only: boolean;
}

type Body = Partial<
  Pick<
    Provider,
    | 'name'
    | 'display_name'
    | 'payment_split_percentage'
    | 'is_active'
    | 'payout_address'
    | 'minimum_commission_rate'
    | 'telegram_admin_channel_id'
    | 'reveal_super_only'
  >
> & { supported_exchanges?: (typeof PROVIDER_EXCHANGES)[number][] };

/** Zero to one in steps of 0.01 (super-admin spec, section 5). */
const FRACTION = /^(0|1)?(\.\d{1,2}0*)?$/;

const isFraction = (text: string) => /\d/.test(text) && FRACTION.test(text) && Number(text) <= 1;

/** The errors of a form, by field; null when it can be sent. */
export function providerErrors(form: ProviderForm): FieldErrors | null {
  const errors: Record<string, string> = {};
  if (!form.name.trim()) errors.name = 'Provider name is required';
  if (!form.display_name.trim()) errors.display_name = 'Display name is required';
  for (const name of ['payment_split_percentage', 'minimum_commission_rate'] as const)
    if (!isFraction(form[name].trim())) errors[name] = 'Enter a number from 0 to 1, in steps of 0.01';
  return Object.keys(errors).length > 0 ? errors : null;
}

/** The form of a provider that exists, or of a new one. */
export function formOf(provider: Provider | null): ProviderForm {
  return {
    name: provider?.name ?? '',
    display_name: provider?.display_name ?? '',
    payment_split_percentage: String(
      provider?.payment_split_percentage ?? BUSINESS_DEFAULTS.providerPaymentSplit,
    ),
    supported_exchanges: PROVIDER_EXCHANGES.filter((exchange) =>
      provider?.supported_exchanges.includes(exchange),
    ),
    is_active: provider?.is_active ?? true,
    payout_address: provider?.payout_address ?? '',
    minimum_commission_rate: String(provider?.minimum_commission_rate ?? 0),
    telegram_admin_channel_id: provider?.telegram_admin_channel_id ?? '',
    reveal_super_only: provider?.reveal_super_only ?? false,
  };
}

/** The request of a valid form: all of it for a new provider, otherwise only what differs. */
export function bodyOf(form: ProviderForm, provider: Provider | null): Body {
  const body: Required<Body> = {
    name: form.name.trim(),
    display_name: form.display_name.trim(),
    payment_split_percentage: Number(form.payment_split_percentage),
    supported_exchanges: PROVIDER_EXCHANGES.filter((exchange) => form.supported_exchanges.includes(exchange)),
    is_active: form.is_active,
    payout_address: form.payout_address.trim() || null,
    minimum_commission_rate: Number(form.minimum_commission_rate),
    telegram_admin_channel_id: form.telegram_admin_channel_id.trim() || null,
    reveal_super_only: form.reveal_super_only,
  };
  if (!provider) return body;
  const before = bodyOf(formOf(provider), null);
  const names = (Object.keys(body) as (keyof Body)[]).filter(
    (name) => JSON.stringify(body[name]) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

/** `35%`, also while the share is being typed; empty for what is no share. */
export const sharePreview = (typed: string) =>
  isFraction(typed.trim()) ? `${shownPercentage(Number(typed).toFixed(2))}%` : '';
