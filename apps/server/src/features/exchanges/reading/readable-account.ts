import type { CredentialField } from '@copydesk/domain';
import type { ExchangeAccount, ExchangeCredentials } from '../../../integrations/exchanges/gateway.ts';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import type { AccountRow } from '../connections/exchange-accounts.views.ts';
import { openCredential } from '../credentials/credential-box.ts';
import type { StoredCredential } from '../credentials/credentials.store.ts';

type Stored = Pick<AccountRow, 'id' | 'exchange' | 'master_address' | 'agent_address'>;

/**
 * An account with its secrets opened, for the gateway; null when they are missing or do not open. Keep it only for the
 * read.
 */
export function readableAccount(
  keyring: Keyring,
  account: Stored,
  credentials: readonly StoredCredential[],
): ExchangeAccount | null {
  try {
    const secrets: Partial<Record<CredentialField, string>> = {};
    for (const row of credentials)
      if (row.accountId === account.id) secrets[row.field] = openCredential(keyring, row);
    const opened = credentialsFrom(account, secrets);
    return opened && { key: account.id, credentials: opened };
  } catch {
    return null; // a SealError has no more detail than this null
  }
}

function credentialsFrom(
  { exchange, master_address, agent_address }: Stored,
  secrets: Partial<Record<CredentialField, string>>,
): ExchangeCredentials | null {
  const { api_key: apiKey, secret_key: secretKey, passphrase, agent_private_key } = secrets;
  if (exchange === 'hyperliquid') {
    if (!master_address) return null;
    return {
      exchange,
      masterAddress: master_address,
      agentAddress: agent_address ?? '',
      agentPrivateKey: agent_private_key ?? '',
    };
  }
  if (!apiKey || !secretKey) return null;
  if (exchange === 'bybit' || exchange === 'binance') return { exchange, apiKey, secretKey };
  return passphrase ? { exchange, apiKey, secretKey, passphrase } : null;
}
