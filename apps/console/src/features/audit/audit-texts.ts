import { unitsToDecimal } from '@copydesk/domain/money';
import { compareNames } from '@copydesk/domain/text';
import { percentWords } from '../../lib/format/figures.ts';
import { orderActWords } from '../../lib/format/order-texts.ts';
import { formatUsdt } from '../../lib/format/usdt.ts';
import type { AuditEntry } from './audit-queries.ts';

/**
 * What was done, as the middle of a sentence between the person and the target. An action without a line here is written
 * from its own words.
 */
export const VERBS: Record<string, string> = {
  'attention.given_back': 'gave back what waits:',
  'attention.handed_over': 'handed over what waits:',
  'attention.snoozed': 'snoozed what waits:',
  'attention.taken': 'took what waits:',
  'attention.woken': 'woke what waits:',
  'community.archived': 'archived the community',
  'community.created': 'created the community',
  'community.deleted': 'deleted the community',
  'community.provider_changed': 'changed a provider of the community',
  'community.provider_linked': 'linked a provider to the community',
  'community.provider_removed': 'removed a provider from the community',
  'community.restored': 'restored the community',
  'community.settings_changed': 'changed the settings of the community',
  'community.wallet_set_up': 'set up the wallet of the community',
  'credentials.rewrapped': 'sealed the stored secrets again under',
  'deposit.found_late': 'booked a deposit that had been missed on the chain',
  'deposit.set_aside': 'set a deposit aside for',
  'deposit_reading.resumed': 'resumed the reading of deposits on',
  'database.restored': 'restored',
  'database.secured': 'ended all sessions after the restore of',
  'database.wallets_released': 'released the wallets that had sent nothing since the backup of',
  'distribution.requested': 'requested a distribution for the community',
  'distribution.approved': 'approved a distribution of the community',
  'distribution.declined': 'declined a distribution of the community',
  'exchange_bot.changed': 'changed the exchange bot of',
  'exchange_bot.connected': 'connected the exchange bot of',
  'exchange_bot.coupon_added': 'added a coupon to the exchange bot of',
  'exchange_bot.coupon_removed': 'deleted a coupon from the exchange bot of',
  'exchange_bot.faq_added': 'added a question to the exchange bot of',
  'exchange_bot.faq_changed': 'changed a question of the exchange bot of',
  'exchange_bot.faq_removed': 'deleted a question from the exchange bot of',
  'exchange_bot.messages_retried': 'sent again the failed messages of the exchange bot of',
  'exchange_bot.message_retried': 'sent again a message of the exchange bot of',
  'exchange_bot.selection_retried': 'sent a selection of messages of exchange bots again',
  'exchange_bot.plan_added': 'added a plan to the exchange bot of',
  'exchange_bot.plan_changed': 'changed a plan of the exchange bot of',
  'exchange_bot.plan_removed': 'deleted a plan from the exchange bot of',
  'exchange_bot.text_changed': 'changed a text of the exchange bot of',
  'exchange_bot.token_replaced': 'replaced the token of the exchange bot of',
  'exchange.connected': 'connected an exchange account of the trader',
  'exchange.credential_revealed': 'revealed an exchange secret of the trader',
  'exchange.key_replaced': 'replaced the key of an exchange account of the trader',
  'exchange.removed': 'removed an exchange account of the trader',
  'bulk_act.created': 'ordered the bulk act',
  'bulk_act.stopped': 'stopped the bulk act',
  'bulk_act.retried': 'tried again what failed of the bulk act',
  'export.created': 'began the export',
  'export.deleted': 'deleted the export',
  'harvest.bot_acknowledged': 'reported as the trading bot of the pool of',
  'harvest.resolution_proposed': 'proposed a resolution for the pool of',
  'invoice.archived': 'archived an invoice of',
  'invoice.cancelled': 'cancelled an invoice of',
  'invoice.created': 'created an invoice of',
  'invoice.deduction_ended': 'ended a deduction from the next invoices of',
  'invoice.difference_deducted': 'had a difference deducted from the next invoices of',
  'invoice.difference_dismissed': 'left a difference of invoices as it is for',
  'invoice.discounted': 'applied a coupon to an invoice of',
  'note.edited': 'changed a note about',
  'note.removed': 'removed a note about',
  'invoice.recalled': 'recalled an invoice of',
  'invoice.marked_paid': 'marked an invoice as paid for',
  'invoice.marked_unpaid': 'marked an invoice as unpaid for',
  'invoice.paid': 'booked a payment on an invoice of',
  'invoice.unarchived': 'restored an invoice of',
  'invoicing.discarded': 'discarded a draft of invoices for',
  'invoicing.drafted': 'requested a draft of invoices for',
  'invoicing.requested': 'requested invoices for',
  'invoicing.sent': 'sent the invoices of a draft for',
  'message.retried': 'sent a message again',
  'message.selection_retried': 'sent a selection of messages again',
  'order.approved': 'approved an order for',
  'order.declined': 'declined an order for',
  'order.placed': 'placed an order for',
  'payment.credit_return_ordered': 'ordered that credit is sent back to',
  'payment.credit_return_undone': 'took back that credit is sent back to',
  'payment.credit_tipped': 'turned credit into a tip of',
  'payment.booked': 'booked a payment of the trader',
  'payments.lift_confirmed': 'confirmed that the stop of all payments is lifted',
  'payments.lift_refused': 'refused to lift the stop of all payments',
  'payments.lift_requested': 'asked to lift the stop of all payments',
  'payments.lift_withdrawn': 'withdrew or declined to lift the stop of all payments',
  'payments.resumed': 'lifted the stop of all payments',
  'payments.standby_forgotten': 'let payouts be sent for an hour without a standby of',
  'payments.stopped': 'stopped all payments',
  'payout.sent_again': 'ordered a payout again for the community',
  'payout.retried': 'ordered the payout again',
  'payout.shares_returned': 'returned the shares of a payout of the community',
  'trader.referrer_released': 'released the referrer of',
  'payout_address.confirmed': 'confirmed, as its owner, the payout address of',
  'payout_address.disowned': 'said, as its owner, that it is not theirs: the payout address of',
  'payout_address.released': 'released the payout address of',
  'pool.arrival_decision_confirmed': 'confirmed a decision about unexplained money in the pool of',
  'pool.arrival_decision_proposed': 'proposed a decision about unexplained money in the pool of',
  'pool.changed': 'changed the terms of the pool of',
  'pool.connected': 'connected the pool of',
  'pool.connection_approved': 'approved the connection of the pool of',
  'pool.deposit_address_set': 'set the deposit address of the pool of',
  'pool.deposit_return_ordered': 'ordered the return of a deposit to the pool of',
  'pool.flows_released': 'released deposits and withdrawals of the pool of',
  'pool.key_replaced': 'replaced the key of the pool of',
  'pool.member_joined': 'joined a trader to the pool of',
  'pool.proxy_set_up': 'set up the proxy wallet of the pool of',
  'pool.withdrawal_cancelled': 'cancelled a withdrawal from the pool of',
  'pool.withdrawal_requested': 'requested a withdrawal from the pool of',
  'provider.changed': 'changed the provider',
  'provider.created': 'created the provider',
  'provider.invoicing_changed': 'switched the invoicing of the provider',
  'service_token.created': 'created the service token',
  'service_token.revoked': 'revoked the service token',
  'platform_recipient.changed': 'changed the payout address of the platform recipient',
  'platform_bot.changed': 'changed the setting',
  'subscription.changed': 'changed the subscription of the community',
  'subscription.checkout_opened': 'opened the payment page for the community',
  'subscription.link_sent': 'sent the payment link to the owner of the community',
  'subscription.ended': 'cancelled the subscription of the archived community',
  'subscription.corrected': 'corrected the subscription of the community',
  'setting.approved': 'approved a change of the setting',
  'setting.changed': 'changed the setting',
  'setting.declined': 'declined a change of the setting',
  'setting.locked': 'removed, by a lock of the server, what the console had set for the setting',
  'setting.requested': 'requested a change of the setting',
  'setup.offered': 'offered the set-up of',
  'trader.asked_for_key': 'asked the trader for a new key',
  'trader.books_opened': 'opened the books of the trader',
  'trader.changed': 'changed the trader',
  'trader.created': 'added the trader',
  'trader.deleted': 'deleted the trader',
  'trader.delinquent_suggested': 'suggested the status delinquent for the trader',
  'trader.deposit_address_given': 'gave a deposit address to the trader',
  'trader.notified': 'notified the trader',
  'trader.referral_code_regenerated': 'renewed the referral code of the trader',
  'trader.referred': 'referred the trader',
  'trader.refresh_requested': 'asked for a refresh of the trader',
  'trader.status_changed': 'changed the status of the trader',
  'transfer.cancelled': 'cancelled a transfer',
  'transfer.final': 'saw a transfer become final on chain',
  'transfer.reverted': 'saw a transfer fail on chain',
  'transfer.set_aside': 'set a transfer aside that nothing allows',
  'user.backup_code_used': 'used a backup code of',
  'user.backup_codes_renewed': 'renewed the backup codes of',
  'user.changed': 'changed the access of',
  'user.confirmed': 'confirmed the super admin',
  'user.demo_created': 'created the persona',
  'user.invitation_accepted': 'accepted the invitation of',
  'user.invitation_shown': 'was shown the link of the invitation of',
  'user.invited': 'invited',
  'user.passkey_added': 'added a passkey to the account of',
  'user.passkey_removed': 'removed a passkey of',
  'user.passkey_renamed': 'renamed a passkey of',
  'user.password_changed': 'changed the password of',
  'user.password_reset': 'reset the password of',
  'user.password_reset_offered': 'offered a new password to',
  'user.reauthenticated': 'authenticated again as',
  'user.reauthentication_refused': 'failed to authenticate again as',
  'user.renamed': 'renamed',
  'user.joined': 'added',
  'user.linked': 'linked an account at the identity service to',
  'user.email_changed': 'changed the e-mail address of',
  'user.second_factor_disabled': 'turned off the second factor of',
  'user.second_factor_enabled': 'turned on the second factor of',
  'user.second_factor_removed': 'removed the second factor of',
  'user.sessions_ended': 'ended the sessions of',
  'user.set_up': 'set up the first super admin',
  'user.telegram_connected': 'connected a Telegram chat with',
  'user.telegram_disconnected': 'disconnected the Telegram chat of',
  'user.view_began': 'began to view as',
  'user.view_ended': 'ended the view as',
  'waitlist.approved': 'approved the request for access of',
  'waitlist.declined': 'declined a request for access',
  'wallet.frozen': 'froze the wallet',
  'wallet.unfrozen': 'unfroze the wallet',
};

/** The labels of the platform's settings, and their values as text. */
export interface SettingTexts {
  labelOf(name: string): string | null;
  textOf(name: string, value: unknown): string;
}

/** Targets whose entries are written without their name. */
const NAMELESS: Record<string, string> = {
  database: 'the database',
  distribution: 'a distribution',
  harvest_run: 'the global harvest',
  invoicing_run: 'traders who are gone',
  order: 'an act that is gone',
  message: '',
  setup: 'the installation',
  stop: '',
  master_key: 'the master key',
  transfer: '',
  waitlist: '',
};

export function verbOf({
  action,
  target_kind,
  target_name,
}: Pick<AuditEntry, 'action' | 'target_kind' | 'target_name'>): string {
  const known = VERBS[action];
  if (known && isOrder(action) && target_kind !== 'community')
    return target_kind === 'pool' ? `${known} the pool of` : known.replace(/ for$/, ':');
  if (known) return action.startsWith('transfer.') && target_name ? `${known} for` : known;
  const [subject = '', event = ''] = action.split('.');
  const of = target_kind === 'pool' ? 'the pool of' : target_kind.replaceAll('_', ' ');
  return `recorded “${subject.replaceAll('_', ' ')}: ${event.replaceAll('_', ' ')}” for ${of}`;
}

const isOrder = (action: string) => action.startsWith('order.');

type Target = Pick<AuditEntry, 'target_kind' | 'target_id' | 'target_name'>;

/** What the target is called; a short id when it has no name. */
export function targetText(
  { target_kind, target_id, target_name }: Target,
  settings: SettingTexts | null = null,
): string {
  if (target_name) return target_name;
  if (target_kind === 'setting') return settings?.labelOf(target_id) ?? target_id.replaceAll('_', ' ');
  // `key_failing:` and what it is about.
  if (target_kind === 'attention') return (target_id.split(':')[0] ?? '').replaceAll('_', ' ');
  const named = NAMELESS[target_kind];
  if (named !== undefined) return named;
  return target_id.length > 12 ? `${target_id.slice(0, 8)}…` : target_id;
}

/** Kinds of targets whose name says what they are. */
const SAYS_KIND = new Set(['attention', 'database', 'master_key', 'order', 'setting', 'setup', 'user']);

/** A target apart from its entries: `Invoice of KAIT-7`, `Trader 01a207fa…`. */
export function objectText(target: Target, settings: SettingTexts | null = null): string {
  const kind = target.target_kind.replaceAll('_', ' ');
  const text = targetText(target, settings) || `${target.target_id.slice(0, 8)}…`;
  if (SAYS_KIND.has(target.target_kind)) return capitalised(text);
  // These targets carry the name of what they belong to.
  const isOf =
    target.target_name !== null &&
    ['invoice', 'invoicing_run', 'payout', 'pool'].includes(target.target_kind);
  return capitalised(isOf ? `${kind} of ${text}` : `${kind} ${text}`);
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const LABELS: Record<string, string> = {
  split_percentage: 'split',
  payment_split_percentage: 'payment split',
  minimum_commission_rate: 'minimum commission',
  minimum_balance: 'minimum balance',
  referrer_wallet_address: 'referrer address',
  external_wallet_address: 'external address',
  payout_address: 'payout address',
  supported_exchanges: 'exchanges',
  is_active: 'active',
  is_archived: 'archived',
  invoicing_enabled: 'invoicing',
  custom_display_name: 'name in the community',
  display_name: 'display name',
  provider_access: 'providers',
  staff_roles: 'roles',
  selected_provider_id: 'provider',
  reference_number: 'reference number',
  telegram_user_id: 'Telegram ID',
  telegram_username: 'Telegram username',
  email: 'e-mail',
  super: 'super admin',
};
/** Fields that name the context of a change instead of being one. */
const CONTEXT = new Set(['provider_id', 'provider', 'version', 'role']);

/** Fields with an amount of USDT in base units. */
const UNITS = /_units$/;

/** A field that changed, in words. */
export interface ChangedField {
  label: string;
  before: string;
  after: string;
}

type Names = ReadonlyMap<string, string>;
type Changed = Pick<AuditEntry, 'before' | 'after' | 'target_kind' | 'target_id'>;

/**
 * The fields that differ between before and after: `split: 7% to 12%`. Nothing for entries that do not compare two states.
 * @param names of providers, by id
 */
export function changesOf(
  { before, after, target_kind, target_id }: Changed,
  names: Names,
  settings: SettingTexts | null = null,
): ChangedField[] {
  if (!isRecord(before) || !isRecord(after)) return [];
  if (settings && target_kind === 'setting' && 'value' in before && 'value' in after) {
    const textOf = (value: unknown) => settings.textOf(target_id, value);
    return [{ label: 'value', before: textOf(before.value), after: textOf(after.value) }];
  }
  return Object.keys(after)
    .filter((name) => name in before && !CONTEXT.has(name))
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({
      label: LABELS[name] ?? name.replace(UNITS, '').replace(/_id$/, '').replaceAll('_', ' '),
      before: valueText(name, before[name], names),
      after: valueText(name, after[name], names),
    }));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueText(name: string, value: unknown, names: Names): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value))
    return value.length === 0
      ? 'none'
      : value.map((each) => names.get(String(each)) ?? plainText(String(each))).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (name === 'staff_roles' && isRecord(value)) return rolesText(value, names);
  if (typeof value === 'object') return JSON.stringify(value);
  if (name === 'split_percentage') return percentWords(Number(value));
  if (name === 'payment_split_percentage' || name === 'minimum_commission_rate')
    return percentWords(Math.round(Number(value) * 10_000) / 100);
  if (UNITS.test(name)) return unitsText(String(value), 'USDT') ?? String(value);
  return names.get(String(value)) ?? plainText(String(value));
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Decimals beyond those that people are shown. */
const LONG_DECIMAL = /^-?\d+\.\d{7,}$/;

/** A value without a name of its own: ids are shortened, and amounts shown as everywhere. */
function plainText(value: string): string {
  if (UUID.test(value)) return `${value.slice(0, 8)}…`;
  return LONG_DECIMAL.test(value) ? formatUsdt(value) : value;
}

/** `582.00225 USDT`; null for what is no number of base units. */
const unitsText = (units: string, asset: string) =>
  /^\d+$/.test(units) ? `${formatUsdt(unitsToDecimal(BigInt(units)))} ${asset}` : null;

/** `Aurora: viewer, Borealis: owner`; providers that are not named have ordinary staff. */
function rolesText(roles: Record<string, unknown>, names: Names): string {
  const named = Object.entries(roles).map(([id, role]) => `${names.get(id) ?? id}: ${role}`);
  return named.length === 0 ? 'staff' : named.toSorted(compareNames).join(', ');
}

/** Amounts in entries are USDT. */
const amountText = (amount: unknown) =>
  typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount) ? `${formatUsdt(amount)} USDT` : null;

/** More about an entry: who is meant, why, or how much. */
export function detailOf(
  { action, before, after, target_kind, target_id }: Changed & Pick<AuditEntry, 'action'>,
  settings: SettingTexts | null = null,
): string | null {
  // Its name says all of it.
  if (target_kind === 'order') return null;
  // A change that was declined has the value that was wanted.
  if (settings && target_kind === 'setting' && isRecord(before) && 'value' in before && !isRecord(after))
    return settings.textOf(target_id, before.value);
  for (const values of [after, before]) {
    if (!isRecord(values)) continue;
    const { reason, why, evidence, provider, email, amount, units, act } = values;
    const said = [reason, why, evidence, provider, amountText(amount), email].find(
      (text): text is string => typeof text === 'string' && text !== '',
    );
    if (said) return said;
    const moved =
      typeof units === 'string' && units !== '0'
        ? unitsText(units, values.kind === 'gas_topup' ? 'BNB' : 'USDT')
        : null;
    const ordered = isOrder(action) && typeof act === 'string' ? orderActWords(act) : null;
    if (ordered || moved) return [ordered, moved].filter(Boolean).join(', ');
  }
  return null;
}
