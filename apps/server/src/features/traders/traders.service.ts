import { randomInt, randomUUID } from 'node:crypto';
import { type CallParsed, ERRORS, type ErrorCode } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { createReferralCode, TRADER_STATUSES, traderSourceOf } from '@copydesk/domain/traders';
import { payableAddress } from '../../core/chain/payable-address.ts';
import type { AuditValue } from '../../platform/audit/audit.ts';
import { requireSeen } from '../../platform/audit/seen-version.ts';
import { violatedUnique, violatesForeignKey } from '../../platform/db/connection/connection.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import * as store from './traders.store.ts';

type NewTrader = CallParsed<'POST /api/traders'>['body'];
type TraderChanges = CallParsed<'PATCH /api/traders/{id}'>['body'];

/** Creates a pending trader and returns its id. */
export async function createTrader(tx: WriteTx, { referral_code, ...fields }: NewTrader): Promise<string> {
  const community = await store.lockCommunity(tx, fields.community_id);
  if (!community || !(await store.areLinked(tx, fields.community_id, fields.selected_provider_id)))
    throw atField('not_found', 'selected_provider_id', 'Not found: no such community with that provider');
  if (community.is_archived) throw atField('community_archived', 'community_id');
  await requireFreeTelegramId(tx, fields.community_id, fields.telegram_user_id, null);
  const referrer = referral_code ? await getReferrer(tx, referral_code) : null;

  const trader = {
    ...fields,
    id: randomUUID(),
    referral_code: createReferralCode(randomInt),
    source: traderSourceOf(tx.actor),
    referred_by_trader_id: referrer?.id ?? null,
    last_updated_by: tx.actor.name,
  };
  await refusingTakenReference(store.insertTrader(tx, trader));
  tx.audit({
    action: 'trader.created',
    target: { kind: 'trader', id: trader.id },
    after: trader as AuditValue,
  });
  return trader.id;
}

/**
 * Applies the differences and writes one audit entry for them. Setting a value again changes nothing.
 * @throws Refusal `not_found`, `changed_meanwhile`, `reference_number_taken`, `telegram_id_taken`
 */
export async function changeTrader(
  tx: WriteTx,
  id: string,
  { version: seen, ...wanted }: TraderChanges,
): Promise<void> {
  const found = await store.findTraderForUpdate(tx, id);
  if (!found) throw new Refusal('not_found');
  const { version, ...current } = found;
  const target = { kind: 'trader', id };
  // A program may act for a person that only the program knows. A person is identified by the token, and the audit
  // names the caller in either case.
  const { last_updated_by: claimed, external_wallet_address: address, ...rest } = wanted;
  const updatedBy = (tx.actor.kind === 'service' && claimed?.trim()) || tx.actor.name;
  await requireSeen(tx, {
    target,
    actions: ['trader.changed', 'trader.status_changed'],
    seen,
    version,
    present: current,
    wanted: { ...rest, external_wallet_address: address },
  });
  const fields: Record<string, string | null> = { ...rest };
  if (address !== undefined)
    fields.external_wallet_address = address
      ? await payableAddress(tx, 'external_wallet_address', address)
      : null;

  const names = Object.keys(fields).filter((name) => fields[name] !== current[name as keyof typeof current]);
  if (names.length === 0) return;
  if (names.includes('telegram_user_id'))
    await requireFreeTelegramId(tx, current.community_id, fields.telegram_user_id, id);
  const pick = (from: object) =>
    Object.fromEntries(names.map((name) => [name, from[name as keyof typeof from]]));
  await refusingTakenReference(store.updateTrader(tx, id, pick(fields), updatedBy));
  tx.audit({
    action: names.includes('status') ? 'trader.status_changed' : 'trader.changed',
    target,
    before: pick(current),
    after: pick(fields),
  });
}

/**
 * Sets a status as one of many, unless it is no longer the one that whoever ordered it saw.
 * @returns null: it is set; else why the trader stays as it is
 */
export async function setSeenStatus(
  tx: WriteTx,
  id: string,
  { before, status }: { before: string | null; status: string | null },
): Promise<'gone' | 'changed_meanwhile' | 'has_status' | null> {
  const wanted = TRADER_STATUSES.find((known) => known === status);
  if (!wanted) throw new Error(`no status of a trader: ${status}`);
  const found = await store.findTraderForUpdate(tx, id);
  if (!found) return 'gone';
  if (found.status === wanted) return 'has_status';
  if (found.status !== before) return 'changed_meanwhile';
  await changeTrader(tx, id, { status: wanted });
  return null;
}

/**
 * Deletes a trader without positions, accounts or invoices. Its referrals must have no invoices either: their
 * shares for the referrer would go to the next referrer.
 * @throws Refusal `not_found`, `trader_has_records`, `trader_has_referrals`
 */
export async function deleteTrader(tx: WriteTx, id: string): Promise<void> {
  const current = await store.findTraderForUpdate(tx, id);
  if (!current) throw new Refusal('not_found');
  if (await store.haveReferralsInvoices(tx, id)) throw new Refusal('trader_has_referrals');
  const credit = await store.sumCredit(tx, id);
  if (credit > 0n)
    throw new Refusal('trader_has_credit', {
      message: `This trader has ${unitsToDecimal(credit)} USDT of credit. Send it back or make it a tip first.`,
    });
  try {
    await store.deleteTrader(tx, id);
  } catch (error) {
    if (violatesForeignKey(error)) throw new Refusal('trader_has_records');
    throw error;
  }
  const { version: _, ...before } = current;
  tx.audit({ action: 'trader.deleted', target: { kind: 'trader', id }, before });
}

/**
 * The owner of a referral code. For a caller with a scope, a code of another provider and one that does not exist are
 * the same answer, so that codes cannot be tried out; a super admin sees all traders, and can record such a referral.
 */
async function getReferrer(tx: WriteTx, code: string) {
  const referrer = await store.findReferrer(tx, code);
  if (referrer) return referrer;
  const message =
    tx.scope.kind === 'all'
      ? 'Not found: no trader has this referral code'
      : 'Not found: no trader that you can see has this referral code. If the code is right, its owner is at another provider, and a super admin can record the referral.';
  throw atField('not_found', 'referral_code', message);
}

/** Assigns a trader to the referrer whose code it used: once, never to itself, never in a circle. */
export async function referTrader(tx: WriteTx, traderId: string, code: string): Promise<string> {
  const trader = await store.findTraderForUpdate(tx, traderId);
  if (!trader) throw new Refusal('not_found');
  const referrer = await getReferrer(tx, code);
  if (trader.referred_by_trader_id) throw new Refusal('trader_already_referred');
  if (referrer.id === traderId || (await store.isReferredBy(tx, referrer.id, traderId)))
    throw new Refusal('referral_refused');
  await store.updateTrader(tx, traderId, { referred_by_trader_id: referrer.id });
  tx.audit({
    action: 'trader.referred',
    target: { kind: 'trader', id: traderId },
    after: { referred_by_trader_id: referrer.id },
  });
  return referrer.id;
}

/** Replaces a trader's referral code, in case the old one has leaked. */
export async function regenerateReferralCode(tx: WriteTx, id: string): Promise<string> {
  const trader = await store.findTraderForUpdate(tx, id);
  if (!trader) throw new Refusal('not_found');
  const code = createReferralCode(randomInt);
  await store.updateTrader(tx, id, { referral_code: code });
  tx.audit({
    action: 'trader.referral_code_regenerated',
    target: { kind: 'trader', id },
    before: { referral_code: trader.referral_code },
    after: { referral_code: code },
  });
  return code;
}

/**
 * A bot identifies a buyer by the Telegram id, and takes the oldest trader of its community that has it. A
 * person who could give another trader's id to a trader of their own would get the other's orders. An id may
 * be with several communities.
 * @throws Refusal `telegram_id_taken`
 */
async function requireFreeTelegramId(
  tx: WriteTx,
  communityId: string,
  telegramId: string | null | undefined,
  besides: string | null,
): Promise<void> {
  if (telegramId && (await store.isTelegramIdTaken(tx, { communityId, telegramId, besides })))
    throw atField('telegram_id_taken', 'telegram_user_id');
}

/** A refusal of what a field says. */
const atField = (code: ErrorCode, path: string, message: string = ERRORS[code].message) =>
  new Refusal(code, { message, details: [{ path, message }] });

/** Unique as it is written, and whatever its case. */
const REFERENCE_KEYS = ['trader_reference_number_key', 'trader_reference_unique'];

async function refusingTakenReference(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (REFERENCE_KEYS.includes(violatedUnique(error) ?? ''))
      throw atField('reference_number_taken', 'reference_number');
    throw error;
  }
}
