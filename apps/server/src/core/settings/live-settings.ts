import { decimalToUnits } from '@copydesk/domain/money';
import { largestPayout } from '@copydesk/domain/payouts';
import { exceedsBound, type PlatformSettings, type SettingName } from '@copydesk/domain/settings';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { PayoutRules } from './payout-rules.ts';
import { readStoredSettings } from './stored-settings.views.ts';

/** What the environment says about settings. */
export interface SettingsBase {
  /** Values of settings that were not changed in the console. */
  defaults: PlatformSettings;
  /** Settings whose default is given by a variable. */
  given: readonly SettingName[];
  /** Settings that the console may not change: their default holds, whatever is stored. */
  locked: readonly SettingName[];
}

/** The platform settings as this process knows them. */
export interface LiveSettings {
  base: SettingsBase;
  /** The present values. Read them where they are used. */
  current(): PlatformSettings;
  /** Always the same object, with the present values. */
  rules: PayoutRules;
  /** Reads the stored settings, unless they were read within `maxAgeMs`. Concurrent callers share one read. */
  refresh(maxAgeMs?: number): Promise<void>;
}

/** Without a first `refresh`, the defaults. */
export function createLiveSettings({ db, base }: { db: Database; base: SettingsBase }): LiveSettings {
  let values = base.defaults;
  const rules = rulesOf(values);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  const read = async () => {
    const startedAt = performance.now();
    const stored = await db.read(WHOLE_SCOPE, readStoredSettings);
    values = settingsFrom(base, stored);
    Object.assign(rules, rulesOf(values));
    readAt = startedAt;
  };
  return {
    base,
    current: () => values,
    rules,
    async refresh(maxAgeMs = 0) {
      if (performance.now() - readAt < maxAgeMs) return;
      // A read that began before this call may not have seen a change that is already committed.
      if (reading && maxAgeMs === 0) await reading.catch(() => {});
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    },
  };
}

/**
 * The values that hold: what is stored, where the environment does not lock it and gives no tighter bound, else the
 * defaults.
 */
export function settingsFrom(
  { defaults, given, locked }: SettingsBase,
  stored: Partial<PlatformSettings>,
): PlatformSettings {
  const holds = <Name extends SettingName>(name: Name, value: PlatformSettings[Name]) =>
    !locked.includes(name) && !(given.includes(name) && exceedsBound(name, defaults[name], value));
  const open = Object.entries(stored).filter(([name, value]) => holds(name as SettingName, value));
  return { ...defaults, ...Object.fromEntries(open) };
}

function rulesOf(values: PlatformSettings): PayoutRules {
  const { payout_max_per_transaction, payout_max_per_day } = values;
  const unitsOf = (usdt: number | string | null) => (usdt === null ? null : decimalToUnits(String(usdt)));
  return {
    approvalAboveUnits: unitsOf(values.approval_above_usdt),
    writeOffAboveUnits: unitsOf(values.write_off_above_usdt),
    maximumUnits: largestPayout({
      perTransaction: unitsOf(payout_max_per_transaction),
      perDay: unitsOf(payout_max_per_day),
    }),
    minimumUnits: decimalToUnits(values.minimum_payout_usdt) ?? 0n,
    addressHoldHours: values.payout_address_hold_hours,
    approverMinAgeMs: values.approver_min_hours * 3_600_000,
  };
}
