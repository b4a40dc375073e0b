import { type CredentialField, secretsIn } from '@copydesk/domain/trading';
import {
  agentPrivateKeyOf,
  credentialsOf,
  type DemoAccount,
  type DemoTrader,
} from '@copydesk/simulators/world';
import { sealCredentials } from '../../features/exchanges/credentials/credential-box.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import type { Cell } from '../copy-rows.ts';

export const CREDENTIAL_COLUMNS = [
  'account_id',
  'provider_id',
  'field',
  'version',
  'ciphertext',
  'wrapped_key',
  'master_key_id',
  'masked',
  'fingerprint',
];

/** The credentials of the demo accounts, encrypted like real ones. */
export function* credentialRows(traders: Iterable<DemoTrader>, keyring: Keyring): Generator<Cell[]> {
  for (const t of traders)
    for (const a of t.accounts) {
      const place = { accountId: a.id, providerId: a.providerId };
      for (const row of sealCredentials(keyring, place, secretsOf(a)))
        yield [
          row.accountId,
          row.providerId,
          row.field,
          row.version,
          bytes(row.ciphertext),
          bytes(row.wrappedKey),
          row.masterKeyId,
          row.masked,
          bytes(row.fingerprint),
        ];
    }
}

function secretsOf(account: DemoAccount): Partial<Record<CredentialField, string>> {
  // Without the computation of the agent's address, which is not stored here.
  if (account.exchange === 'hyperliquid') return { agent_private_key: agentPrivateKeyOf(account) };
  return secretsIn(credentialsOf(account));
}

/** bytea in COPY's format. */
const bytes = (value: Buffer) => `\\x${value.toString('hex')}`;
