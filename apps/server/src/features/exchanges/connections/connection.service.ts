import { randomUUID } from 'node:crypto';
import { type CallParsed, ERRORS } from '@copydesk/contract';
import { decideReveal, mayReveal, REVEALS_COUNT_MS, type RevealBurst } from '@copydesk/domain/access';
import { EXCHANGE_NAMES, type Exchange, supportsExchange } from '@copydesk/domain/catalogue';
import {
  CREDENTIALS,
  type CredentialField,
  type CredentialName,
  EXCHANGE_CREDENTIALS,
  type ExchangeCredentials,
  findCredentials,
  missingCredentials,
  secretsIn,
} from '@copydesk/domain/trading';
import type { VerifiedAccount } from '../../../integrations/exchanges/gateway.ts';
import { violatedUnique } from '../../../platform/db/connection/connection.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { openCredential, sealCredentials } from '../credentials/credential-box.ts';
import * as credentials from '../credentials/credentials.store.ts';
import * as reveals from '../credentials/reveals.store.ts';
import * as accounts from './exchange-accounts.store.ts';

/** An account that is removed and connected again within this time counts as a change of keys. */
const SAME_CONNECTION_MS = 24 * 3_600_000;

type ConnectBody = CallParsed<'POST /api/traders/{id}/exchange'>['body'];

/** The fields that each exchange needs from a trader, by the names of the call's body. */
export function fieldsOf(exchange: Exchange): string[] {
  return EXCHANGE_CREDENTIALS[exchange].map((name) => CREDENTIALS[name].wire);
}

/** The credentials in a body. @throws Refusal exchange_credentials_required when one is missing */
export function credentialsIn(body: ConnectBody): ExchangeCredentials {
  const { exchange } = body;
  const find = (name: CredentialName) => body[CREDENTIALS[name].wire];
  const credentials = findCredentials(exchange, find);
  if (credentials) return credentials;
  // The general text, which is the specification's, names the fields of all exchanges but these.
  const missing = missingCredentials(exchange, find).map((name) => CREDENTIALS[name].wire);
  const isGeneral = missing.some((wire) => ERRORS.exchange_credentials_required.message.includes(wire));
  if (isGeneral) throw new Refusal('exchange_credentials_required');
  throw new Refusal('exchange_credentials_required', {
    message: `For ${EXCHANGE_NAMES[exchange]}, ${missing.join(' and ')} is required as well.`,
  });
}

/** @throws Refusal when the provider cannot have such an account of this trader */
export async function requireConnection(tx: Tx, traderId: string, body: ConnectBody): Promise<void> {
  const provider = await accounts.findConnection(tx, traderId, body.provider_id);
  if (!provider) throw new Refusal('not_found', { message: 'Not found: no such trader with that provider' });
  if (!supportsExchange(provider.exchanges, body.exchange))
    throw new Refusal('exchange_refused', { message: `${provider.name} does not work with this exchange.` });
}

/**
 * Stores an account whose credentials the exchange has accepted, or its other key.
 * @throws Refusal `key_may_withdraw` without a reason, `exchange_other_account`, `exchange_account_taken`, `not_found`
 */
export async function connectExchange(
  tx: WriteTx,
  keyring: Keyring,
  connection: {
    traderId: string;
    providerId: string;
    given: ExchangeCredentials;
    verified: VerifiedAccount;
    at: Date;
    /** Why a key that may withdraw is connected anyway. */
    withdrawReason?: string | undefined;
    /** The account whose key is replaced; undefined: it is connected. */
    replaces?: string | undefined;
  },
): Promise<{ accUid: string; replacedId: string | null }> {
  const { traderId, providerId, given, verified, at, withdrawReason, replaces } = connection;
  if (verified.mayWithdraw && !withdrawReason) throw new Refusal('key_may_withdraw');
  if (replaces !== undefined && replaces !== verified.accUid) throw new Refusal('exchange_other_account');
  const { keyExpiresAt: keyEnd } = verified;
  const isHyperliquid = given.exchange === 'hyperliquid';
  const account: accounts.NewAccount = {
    id: randomUUID(),
    trader_id: traderId,
    provider_id: providerId,
    exchange: given.exchange,
    acc_uid: verified.accUid,
    account_type: verified.accountType,
    master_address: isHyperliquid ? given.masterAddress.toLowerCase() : null,
    agent_address: isHyperliquid ? given.agentAddress.toLowerCase() : null,
    region: verified.region,
    may_withdraw: verified.mayWithdraw,
    key_expires_at: keyEnd ? new Date(keyEnd) : null,
    key_read_at: keyEnd === undefined ? null : at,
    equity: verified.equityUsd,
    equity_read_at: at,
    connected_at: at,
  };
  let replacedId: string | null = null;
  try {
    const replaced =
      replaces === undefined
        ? null
        : await accounts.findAccountForUpdate(tx, traderId, account.exchange, replaces);
    if (replaces !== undefined && replaced?.provider_id !== providerId) throw new Refusal('not_found');
    const removed = replaced ? null : await accounts.findRemoved(tx, account);
    if (replaced) {
      account.id = replaced.id;
      replacedId = replaced.id;
      await credentials.deleteCredentials(tx, account.id);
      await accounts.reviveAccount(tx, account, null);
    } else if (removed) {
      account.id = removed.id;
      await credentials.deleteCredentials(tx, account.id); // those of a last read that has not ended
      const wasAwayMs = at.getTime() - removed.removed_at.getTime();
      await accounts.reviveAccount(
        tx,
        account,
        wasAwayMs > SAME_CONNECTION_MS ? { removedAt: removed.removed_at } : null,
      );
    } else await accounts.insertAccount(tx, account);
    const rows = sealCredentials(keyring, { accountId: account.id, providerId }, secretsIn(given));
    await credentials.insertCredentials(tx, rows);
  } catch (error) {
    if (violatedUnique(error)) throw new Refusal('exchange_account_taken');
    throw error;
  }
  tx.audit({
    action: replacedId ? 'exchange.key_replaced' : 'exchange.connected',
    target: { kind: 'trader', id: traderId },
    after: {
      exchange: account.exchange,
      acc_uid: account.acc_uid,
      provider_id: providerId,
      may_withdraw: account.may_withdraw,
      ...(account.may_withdraw && { withdraw_reason: withdrawReason }),
    },
  });
  return { accUid: account.acc_uid, replacedId };
}

interface AccountName {
  exchange: Exchange;
  acc_uid: string;
}

/**
 * Removes an account. Its key is kept for one more read of what closed until now, and then destroyed.
 * @param removal.isNow destroys the key at once: what closed since the last read is never known
 * @returns its id
 */
export async function disconnectExchange(
  tx: WriteTx,
  traderId: string,
  { at, isNow, ...name }: AccountName & { at: Date; isNow: boolean },
): Promise<string> {
  const account = await accounts.findAccountForUpdate(tx, traderId, name.exchange, name.acc_uid);
  if (!account) throw new Refusal('not_found');
  if (isNow) await credentials.deleteCredentials(tx, account.id);
  else await credentials.keepForLastRead(tx, account.id);
  await accounts.removeAccount(tx, account.id, { at, isReadOnce: !isNow });
  tx.audit({
    action: 'exchange.removed',
    target: { kind: 'trader', id: traderId },
    before: { exchange: account.exchange, acc_uid: account.acc_uid, provider_id: account.provider_id },
    after: { last_read: !isNow },
  });
  return account.id;
}

/**
 * Reveals one secret in plain text. The audit and the row of the secret record the caller before the answer
 * is sent, and the account counts as revealed.
 * @returns also how many accounts are left before a reason is needed, and why this reveal alarms
 * @throws Refusal `not_found`, `reveal_super_only`, `reveal_reason_required`
 */
export async function revealCredential(
  tx: WriteTx,
  keyring: Keyring,
  traderId: string,
  wanted: AccountName & { field: CredentialField; reason?: string | undefined },
  { isPlatformSuperOnly, at }: { isPlatformSuperOnly: boolean; at: Date },
): Promise<{ value: string; left: number; burst: RevealBurst | null }> {
  const account = await accounts.findAccountForUpdate(tx, traderId, wanted.exchange, wanted.acc_uid);
  const stored = account && (await credentials.findCredential(tx, account.id, wanted.field));
  if (!stored) throw new Refusal('not_found');
  const isSuper = tx.scope.kind === 'all';
  const isProviderSuperOnly = await credentials.isRevealSuperOnly(tx, stored.providerId);
  if (!mayReveal({ isSuper, isPlatformSuperOnly, isProviderSuperOnly }))
    throw new Refusal('reveal_super_only');
  const { reason, burst, left } = await countReveal(tx, { accountId: account.id, reason: wanted.reason, at });
  await credentials.recordReveal(tx, stored, at);
  tx.audit({
    action: 'exchange.credential_revealed',
    target: { kind: 'trader', id: traderId },
    after: {
      exchange: wanted.exchange,
      acc_uid: wanted.acc_uid,
      field: wanted.field,
      ...(reason === null ? {} : { reason }),
      ...(burst === null ? {} : { burst }),
    },
  });
  return { value: openCredential(keyring, stored), left, burst };
}

/**
 * Counts an account as revealed by the caller. Requests of one person take turns, in whatever tab and process, so that
 * two at once cannot both be the tenth.
 * @returns the reason where it was needed
 */
async function countReveal(
  tx: WriteTx,
  { accountId, reason, at }: { accountId: string; reason: string | undefined; at: Date },
): Promise<{ reason: string | null; left: number; burst: RevealBurst | null }> {
  const before = await reveals.lockReveals(tx, new Date(at.getTime() - REVEALS_COUNT_MS));
  const decision = decideReveal(before, { accountId, hasReason: reason !== undefined, at });
  if (decision.kind === 'reason_required') throw new Refusal('reveal_reason_required');
  if (decision.kind === 'repeated') return { reason: null, left: decision.left, burst: null };
  const { takesReason, burst, left } = decision;
  const taken = takesReason ? (reason ?? null) : null;
  await reveals.insertReveal(tx, { accountId, at, reason: taken, burst });
  return { reason: taken, left, burst };
}
