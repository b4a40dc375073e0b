import { decimalToUnits } from '@copydesk/domain/money';
import type { PlatformSettings, SettingName } from '@copydesk/domain/settings';
import { SETTINGS } from '../setting-views.ts';

/** A value as typed: one text, several lines, or rows. */
export type Draft =
  | string
  | { hexmount: string; sixk: string }
  | { monthly: string; yearly: string }
  | TierDraft[];

export interface TierDraft {
  name: string;
  min_aum: string;
  benefits: string;
}

/** A typed value that the API would take, or what is wrong with it. */
export type Read = { value: PlatformSettings[SettingName] } | { error: string };

export function draftOf(name: SettingName, value: unknown): Draft {
  if (value === null) return '';
  switch (SETTINGS[name].field.kind) {
    case 'weights': {
      const { hexmount, sixk } = value as PlatformSettings['platform_weights'];
      return { hexmount: String(hexmount), sixk: String(sixk) };
    }
    case 'plans': {
      const { monthly, yearly } = value as PlatformSettings['community_plans'];
      return { monthly: monthly ?? '', yearly: yearly ?? '' };
    }
    case 'tiers':
      return (value as PlatformSettings['vip_tiers']).map((tier) => ({ benefits: '', ...tier }));
    case 'addresses':
      return (value as string[]).join('\n');
    default:
      return String(value);
  }
}

/** Whether an empty field means that there is no limit. */
export function isOptional(name: SettingName): boolean {
  const { field } = SETTINGS[name];
  return 'isOptional' in field && field.isOptional === true;
}

export function readDraft(name: SettingName, draft: Draft): Read {
  const { field } = SETTINGS[name];
  const text = typeof draft === 'string' ? draft.trim() : '';
  if (text === '' && isOptional(name)) return { value: null };
  switch (field.kind) {
    case 'weights':
      return readWeights(draft as { hexmount: string; sixk: string });
    case 'plans':
      return readPlans(draft as { monthly: string; yearly: string });
    case 'tiers':
      return readTiers(draft as TierDraft[]);
    case 'addresses':
      return readAddresses(text);
    case 'choice':
      return { value: text };
    case 'amount':
      return isAmount(text) ? { value: text } : { error: 'Enter an amount, as in 500 or 99.5' };
    case 'fraction':
      return /^(0(\.\d{1,4})?|1)$/.test(text)
        ? { value: text }
        : { error: 'Enter a number from 0 to 1 with at most 4 decimals' };
    case 'percentage':
      return /^(\d{1,2}(\.\d{1,2})?|100)$/.test(text)
        ? { value: text }
        : { error: 'Enter a percentage from 0 to 100 with at most 2 decimals' };
    case 'whole': {
      const { from, to } = field;
      const number = readWhole(text, from, to);
      return number === null ? { error: `Enter a whole number from ${from} to ${to}` } : { value: number };
    }
  }
}

/** Kinds of decimals as text: `0.5` is `0.50`. */
const DECIMALS: readonly string[] = ['amount', 'fraction', 'percentage'];

/** Whether a typed value is the present one, however it is written. */
export function isSameValue(name: SettingName, present: unknown, typed: unknown): boolean {
  const isDecimal = DECIMALS.includes(SETTINGS[name].field.kind);
  if (isDecimal && typeof present === 'string' && typeof typed === 'string')
    return decimalToUnits(present) === decimalToUnits(typed);
  const read = readDraft(name, draftOf(name, present));
  return 'value' in read && JSON.stringify(read.value) === JSON.stringify(typed);
}

const isAmount = (text: string) => /^\d{1,15}(\.\d{1,18})?$/.test(text);

function readWhole(text: string, from: number, to: number): number | null {
  const number = Number(text);
  return /^\d{1,15}$/.test(text) && number >= from && number <= to ? number : null;
}

function readWeights(draft: { hexmount: string; sixk: string }): Read {
  const hexmount = readWhole(draft.hexmount.trim(), 0, 1_000);
  const sixk = readWhole(draft.sixk.trim(), 0, 1_000);
  if (hexmount === null || sixk === null) return { error: 'Enter whole numbers from 0 to 1000' };
  return hexmount + sixk === 0 ? { error: 'One of them has to be above 0' } : { value: { hexmount, sixk } };
}

function readPlans(draft: { monthly: string; yearly: string }): Read {
  const [monthly, yearly] = [draft.monthly.trim(), draft.yearly.trim()];
  const isPrice = (text: string) => text === '' || /^\d{1,9}(\.\d{1,2})?$/.test(text);
  return isPrice(monthly) && isPrice(yearly)
    ? { value: { monthly: monthly || null, yearly: yearly || null } }
    : { error: 'Enter a price, as in 49 or 49.90' };
}

/** The API checks what an address is. */
function readAddresses(text: string): Read {
  const addresses = text.split(/[\s,]+/).filter((address) => address !== '');
  const wrong = addresses.find((address) => !/^[\d.]+$|^[\da-fA-F:]+$/.test(address));
  if (wrong !== undefined) return { error: `${wrong} is not an IP address` };
  return { value: [...new Set(addresses)] };
}

function readTiers(draft: TierDraft[]): Read {
  const tiers = draft.map(({ name, min_aum, benefits }) => ({
    name: name.trim(),
    min_aum: min_aum.trim(),
    ...(benefits.trim() && { benefits: benefits.trim() }),
  }));
  if (tiers.length === 0) return { error: 'Keep at least one level' };
  if (tiers.some(({ name }) => name === '')) return { error: 'Give each level a name' };
  if (tiers.some(({ min_aum }) => !isAmount(min_aum) || unitsOf(min_aum) === 0n))
    return { error: 'Enter an AUM above 0 for each level' };
  const rises = tiers.every(
    ({ min_aum }, index) => unitsOf(min_aum) > unitsOf(tiers[index - 1]?.min_aum ?? '0'),
  );
  return rises ? { value: tiers } : { error: 'Each level needs a higher AUM than the one before' };
}

const unitsOf = (amount: string) => decimalToUnits(amount) ?? 0n;
