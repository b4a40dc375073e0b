import { type CredentialName, findReadingCredentials } from '@copydesk/domain/trading';
import type { ExchangeAccount } from '../../../integrations/exchanges/gateway.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import type { AccountRow } from '../connections/exchange-accounts.views.ts';
import { openCredential } from '../credentials/credential-box.ts';
import type { StoredCredential } from '../credentials/credentials.store.ts';

type Stored = Pick<AccountRow, 'id' | 'exchange' | 'master_address' | 'agent_address' | 'region'>;

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
    const { master_address, agent_address } = account;
    const known: Partial<Record<CredentialName, string | null>> = { master_address, agent_address };
    for (const row of credentials)
      if (row.accountId === account.id) known[row.field] = openCredential(keyring, row);
    const opened = findReadingCredentials(account.exchange, (name) => known[name]);
    return opened && { key: account.id, credentials: opened, region: account.region };
  } catch {
    return null; // a SealError has no more detail than this null
  }
}
