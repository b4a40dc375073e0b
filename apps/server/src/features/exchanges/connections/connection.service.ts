import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { type CredentialField, EXCHANGE_PROBLEMS, type Exchange, mayReveal } from '@copydesk/domain';
import type { ExchangeCredentials, VerifiedAccount } from '../../../integrations/exchanges/gateway.ts';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import { violatedUnique } from '../../../platform/db/connection.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { openCredential, sealCredentials } from '../credentials/credential-box.ts';
import * as credentials from '../credentials/credentials.store.ts';
import * as accounts from './exchange-accounts.store.ts';

/** An account that is removed and connected again within this time counts as a change of keys. */
const SAME_CONNECTION_MS = 24 * 3_600_000;

type ConnectBody = CallParsed<'POST /api/traders/{id}/exchange'>['body'];

/** The fields that each exchange needs from a trader, by the names of the call's body. */
export function fieldsOf(exchange: Exchange): string[] {
  switch (exchange) {
    case 'hyperliquid':
      return ['master_address', 'agent_address', 'agent_private_key'];
    case 'okx':
    case 'kucoin':
      return ['apiKey', 'secretKey', 'passphrase'];
    default:
      return ['apiKey', 'secretKey'];
  }
}

/** The credentials in a body. @throws ApiError exchange_credentials_required when one is missing */
export function credentialsIn(body: ConnectBody): ExchangeCredentials {
  const { exchange, apiKey, secretKey, passphrase } = body;
  if (exchange === 'hyperliquid') {
    const { master_address, agent_address, agent_private_key } = body;
    if (!master_address || !agent_address || !agent_private_key)
      throw new ApiError('exchange_credentials_required');
    return {
      exchange,
      masterAddress: master_address,
      agentAddress: agent_address,
      agentPrivateKey: agent_private_key,
    };
  }
  if (!apiKey || !secretKey) throw new ApiError('exchange_credentials_required');
  if (exchange === 'bybit' || exchange === 'binance') return { exchange, apiKey, secretKey };
  if (!passphrase)
    throw new ApiError('exchange_credentials_required', {
      message: `For ${exchange === 'okx' ? 'OKX' : 'KuCoin'}, passphrase is required as well.`,
    });
  return { exchange, apiKey, secretKey, passphrase };
}

/** The secret credentials, by their stored column. */
function secretsOf(given: ExchangeCredentials): Partial<Record<CredentialField, string>> {
  if (given.exchange === 'hyperliquid') return { agent_private_key: given.agentPrivateKey };
  const { apiKey: api_key, secretKey: secret_key } = given;
  return 'passphrase' in given
    ? { api_key, secret_key, passphrase: given.passphrase }
    : { api_key, secret_key };
}

/** @throws ApiError when the provider cannot have such an account of this trader */
export async function requireConnection(tx: Tx, traderId: string, body: ConnectBody): Promise<void> {
  const provider = await accounts.findConnection(tx, traderId, body.provider_id);
  if (!provider) throw new ApiError('not_found', { message: 'Not found: no such trader with that provider' });
  if (!provider.exchanges.includes(body.exchange))
    throw new ApiError('exchange_refused', { message: `${provider.name} does not work with this exchange.` });
}

/** Stores an account whose credentials the exchange has accepted. Returns its uid. */
export async function connectExchange(
  tx: WriteTx,
  keyring: Keyring,
  connection: {
    traderId: string;
    providerId: string;
    given: ExchangeCredentials;
    verified: VerifiedAccount;
    at: Date;
  },
): Promise<string> {
  const { traderId, providerId, given, verified, at } = connection;
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
    may_withdraw: verified.mayWithdraw ?? false,
    equity: verified.equityUsd,
    equity_read_at: at,
    connected_at: at,
  };
  try {
    const removed = await accounts.findRemoved(tx, account);
    if (removed) {
      account.id = removed.id;
      const wasAwayMs = at.getTime() - removed.removed_at.getTime();
      await accounts.reviveAccount(
        tx,
        account,
        wasAwayMs > SAME_CONNECTION_MS ? { removedAt: removed.removed_at } : null,
      );
    } else await accounts.insertAccount(tx, account);
    const rows = sealCredentials(keyring, { accountId: account.id, providerId }, secretsOf(given));
    await credentials.insertCredentials(tx, rows);
  } catch (error) {
    if (violatedUnique(error)) throw new ApiError('exchange_account_taken');
    throw error;
  }
  tx.audit({
    action: 'exchange.connected',
    target: { kind: 'trader', id: traderId },
    after: {
      exchange: account.exchange,
      acc_uid: account.acc_uid,
      provider_id: providerId,
      may_withdraw: account.may_withdraw,
    },
  });
  return account.acc_uid;
}

interface AccountName {
  exchange: Exchange;
  acc_uid: string;
}

/** Removes an account and destroys its credentials. Returns its id. */
export async function disconnectExchange(tx: WriteTx, traderId: string, name: AccountName): Promise<string> {
  const account = await accounts.findAccountForUpdate(tx, traderId, name.exchange, name.acc_uid);
  if (!account) throw new ApiError('not_found');
  await credentials.deleteCredentials(tx, account.id);
  await accounts.removeAccount(tx, account.id);
  tx.audit({
    action: 'exchange.removed',
    target: { kind: 'trader', id: traderId },
    before: { exchange: account.exchange, acc_uid: account.acc_uid, provider_id: account.provider_id },
  });
  return account.id;
}

/**
 * One secret in plain text. The caller is recorded in the audit and beside the secret before the answer is sent.
 * @throws ApiError `not_found`, `reveal_super_only`
 */
export async function revealCredential(
  tx: WriteTx,
  keyring: Keyring,
  traderId: string,
  wanted: AccountName & { field: CredentialField },
  { isPlatformSuperOnly, at }: { isPlatformSuperOnly: boolean; at: Date },
): Promise<string> {
  const account = await accounts.findAccountForUpdate(tx, traderId, wanted.exchange, wanted.acc_uid);
  const stored = account && (await credentials.findCredential(tx, account.id, wanted.field));
  if (!stored) throw new ApiError('not_found');
  const isSuper = tx.scope.kind === 'all';
  const isProviderSuperOnly = await credentials.isRevealSuperOnly(tx, stored.providerId);
  if (!mayReveal({ isSuper, isPlatformSuperOnly, isProviderSuperOnly }))
    throw new ApiError('reveal_super_only');
  await credentials.noteReveal(tx, stored, at);
  tx.audit({
    action: 'exchange.credential_revealed',
    target: { kind: 'trader', id: traderId },
    after: { exchange: wanted.exchange, acc_uid: wanted.acc_uid, field: wanted.field },
  });
  return openCredential(keyring, stored);
}

/** The message for an operator when the exchange rejected the credentials or could not be reached. */
export function connectionError(problem: {
  code: keyof typeof EXCHANGE_PROBLEMS;
  isRetryable: boolean;
}): ApiError {
  return problem.isRetryable
    ? new ApiError('exchange_unavailable')
    : new ApiError('exchange_refused', { message: EXCHANGE_PROBLEMS[problem.code] });
}
