import {
  exceedsBound,
  needsSecondPerson,
  type PlatformSettings,
  type SettingName,
} from '@copydesk/domain/settings';
import { type SettingsBase, settingsFrom } from '../../core/settings/live-settings.ts';
import { readStoredSettings } from '../../core/settings/stored-settings.views.ts';
import { boundOf, findWorkerBounds } from '../../core/settings/worker-bounds.ts';
import {
  type ApproverRules,
  requireActiveRequester,
  requireApprover,
} from '../../core/transfers/orders/approvers.views.ts';
import { readOtherConfirmed } from '../../core/transfers/orders/vouching.views.ts';
import type { AuditValue } from '../../platform/audit/audit.ts';
import { requireSeen } from '../../platform/audit/seen-version.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { requirePlainTexts } from '../../platform/http/plain-texts.ts';
import { Refusal } from '../../platform/refusal.ts';
import * as store from './settings.store.ts';

const HOUR_MS = 3_600_000;

export interface SettingDeps extends ApproverRules {
  base: SettingsBase;
}

interface Wanted {
  name: SettingName;
  value: unknown;
  /** The version that the author saw. */
  version: number;
}

/**
 * Changes a setting, or lets the change wait for another super admin when it loosens a protection of money.
 * @throws Refusal `setting_locked`, `changed_meanwhile`, `setting_above_bound`, `setting_waiting`,
 * `approvers_missing`, `text_refused`
 */
export async function changeSetting(
  tx: WriteTx,
  { base, now }: SettingDeps,
  { name, value, version }: Wanted,
): Promise<void> {
  if (base.locked.includes(name)) throw new Refusal('setting_locked');
  const present = await store.lockSetting(tx, name);
  const previous = settingsFrom(base, await readStoredSettings(tx))[name];
  await requireSeen(tx, {
    target: { kind: 'setting', id: name },
    actions: ['setting.changed', 'setting.approved'],
    seen: String(version),
    version: String(present),
    present: { [name]: previous },
    wanted: { [name]: value },
  });
  if (isSame(previous, value)) return;
  await requireWithinBound(tx, base, name, value);
  if (name === 'vip_tiers') requirePlainTexts(textsOf(value as PlatformSettings['vip_tiers']));
  const change = { name, previous, value, basedOn: version };
  const waits = needsSecondPerson(name, previous as never, value as never);
  const waiting = await store.findWaiting(tx, name);
  if (waits && waiting) throw new Refusal('setting_waiting');
  if (name === 'approver_min_hours')
    await keepAnApprover(tx, { before: Number(previous), after: Number(value) }, now());
  // A waiting change does not prevent a tightening one. Its basis has changed, so it ends.
  if (waiting) await decline(tx, waiting, now());
  await store.insertChange(tx, change, waits ? 'waiting' : 'applied', now());
  if (!waits) await apply(tx, name, value, now());
  tx.audit({
    action: waits ? 'setting.requested' : 'setting.changed',
    target: { kind: 'setting', id: name },
    before: { value: previous as AuditValue },
    after: { value: value as AuditValue },
  });
}

/**
 * Approves a waiting change. Four eyes as with payouts: neither its author nor an account that the author made.
 * @throws Refusal `not_found`, `setting_locked`, `setting_changed`, `requester_inactive`, the refusals of `decideApprover`
 */
export async function approveChange(tx: WriteTx, deps: SettingDeps, id: string): Promise<SettingName> {
  const change = await lockWaiting(tx, id);
  await requireApprover(tx, deps, change.requestedById);
  await requireActiveRequester(tx, change.requestedById);
  await applyWaiting(tx, deps, change);
  return change.name;
}

/**
 * Applies a waiting change for an operator of the server, where no second super admin can.
 * @throws Refusal as `approveChange`
 */
export async function applyAsOperator(tx: WriteTx, deps: SettingDeps, name: SettingName): Promise<void> {
  const found = await store.findWaiting(tx, name);
  if (!found) throw new Refusal('not_found');
  await applyWaiting(tx, deps, await lockWaiting(tx, found.id));
}

/**
 * Declines a waiting change; its author withdraws it.
 * @throws Refusal `not_found`
 */
export async function declineChange(tx: WriteTx, { now }: SettingDeps, id: string): Promise<SettingName> {
  const change = await lockWaiting(tx, id);
  await decline(tx, change, now());
  return change.name;
}

/** Ends a waiting change without applying it. */
export async function decline(tx: WriteTx, { id, name, value }: store.StoredChange, at: Date): Promise<void> {
  await store.saveDecision(tx, id, 'declined', at);
  tx.audit({
    action: 'setting.declined',
    target: { kind: 'setting', id: name },
    before: { value: value as AuditValue },
  });
}

/** 5000.5 as 5,000.5, to the last digit. */
function grouped(decimal: string): string {
  const [whole = '', part] = decimal.split('.');
  const text = BigInt(whole).toLocaleString('en-US');
  return part ? `${text}.${part}` : text;
}

/** A value beyond the bound would be stored and shown, but the worker would keep to the bound. */
async function requireWithinBound(
  tx: WriteTx,
  base: SettingsBase,
  name: SettingName,
  value: unknown,
): Promise<void> {
  const bound = boundOf(name, base, await findWorkerBounds(tx));
  if (!exceedsBound(name, bound as never, value as never)) return;
  throw new Refusal('setting_above_bound', {
    message: `At most ${grouped(String(bound))} USDT: that is the bound set on the machine of the worker (${name.toUpperCase()}). A higher value would have no effect.`,
  });
}

/** One person must not be able to stop every approval, including the approval to undo that. */
async function keepAnApprover(
  tx: WriteTx,
  hours: { before: number; after: number },
  now: Date,
): Promise<void> {
  const others = await readOtherConfirmed(tx, tx.actor.id);
  const hasOne = (minHours: number) =>
    others.some(
      ({ superSince }) => superSince !== null && superSince.getTime() + minHours * HOUR_MS <= now.getTime(),
    );
  if (hasOne(hours.before) && !hasOne(hours.after)) throw new Refusal('approvers_missing');
}

async function lockWaiting(tx: WriteTx, id: string): Promise<store.StoredChange> {
  const found = await store.findWaitingById(tx, id);
  if (!found) throw new Refusal('not_found');
  await store.lockSetting(tx, found.name);
  // Reads again under the lock: it may have been decided meanwhile.
  const change = await store.findWaitingById(tx, id);
  if (!change) throw new Refusal('not_found');
  return change;
}

async function applyWaiting(
  tx: WriteTx,
  { base, now }: SettingDeps,
  { id, name, previous, value, basedOn }: store.StoredChange,
): Promise<void> {
  if (base.locked.includes(name)) throw new Refusal('setting_locked');
  const present = settingsFrom(base, await readStoredSettings(tx))[name];
  // The environment may have a different default now than when the change was requested.
  if ((await store.lockSetting(tx, name)) !== basedOn || !isSame(present, previous))
    throw new Refusal('setting_changed');
  if (name === 'approver_min_hours')
    await keepAnApprover(tx, { before: Number(previous), after: Number(value) }, now());
  await requireWithinBound(tx, base, name, value);
  await store.saveDecision(tx, id, 'applied', now());
  await apply(tx, name, value, now());
  tx.audit({
    action: 'setting.approved',
    target: { kind: 'setting', id: name },
    before: { value: previous as AuditValue },
    after: { value: value as AuditValue },
  });
}

/** Traders read what their level is called and offers. */
const textsOf = (tiers: PlatformSettings['vip_tiers']) =>
  Object.fromEntries(
    tiers.flatMap((tier, at) =>
      (['name', 'benefits'] as const).map((field) => [`set.vip_tiers.${at}.${field}`, tier[field]]),
    ),
  );

async function apply(tx: WriteTx, name: SettingName, value: unknown, at: Date): Promise<void> {
  await store.saveSetting(tx, name, value, at);
  if (name === 'vip_tiers') await store.replaceVipTiers(tx, value as PlatformSettings['vip_tiers']);
}

/** Whether two values of a setting are the same. */
export const isSame = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** PostgreSQL keeps the keys of objects in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
