import type { Language } from '@copydesk/domain/catalogue';
import type { FieldErrors } from '../../../ui/form/form-context.ts';

/** The form of a new community, as typed. */
export interface NewCommunity {
  name: string;
  provider_ids: readonly string[];
  split_percentage: string;
  minimum_balance: string;
  external_wallet_address: string;
  referrer_wallet_address: string;
  owner_name: string;
  owner_telegram_id: string;
  owner_language: Language;
  /** Of a bot of its own; empty for none. */
  bot_token: string;
}

/** The errors of a form, by field; null when it can be sent. The server checks addresses and the whole split. */
export function communityErrors(form: NewCommunity): FieldErrors | null {
  const errors: Record<string, string> = {};
  if (!form.name.trim()) errors.name = 'Community name is required';
  if (form.provider_ids.length === 0) errors.provider_ids = 'Choose at least one provider';
  const split = form.split_percentage.trim();
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(split) || Number(split) > 100)
    errors.split_percentage = 'Enter a number from 0 to 100, with at most 2 decimals';
  const minimum = form.minimum_balance.trim();
  if (!/^\d{1,13}$/.test(minimum) || Number(minimum) < 1)
    errors.minimum_balance = 'Enter a whole number of at least 1';
  const chat = form.owner_telegram_id.trim();
  if (chat && !/^[1-9]\d{0,15}$/.test(chat)) errors.owner_telegram_id = 'Enter the number of a chat';
  return Object.keys(errors).length > 0 ? errors : null;
}
