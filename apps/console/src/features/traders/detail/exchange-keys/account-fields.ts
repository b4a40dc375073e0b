import type { TraderExchange } from '@copydesk/contract';
import type { CredentialField } from '@copydesk/domain';

/** One row of an account's credentials. */
export type AccountField =
  /** Stored encrypted: the console has dots, and requests the plain value. */
  | { label: string; kind: 'secret'; field: CredentialField; masked: string }
  /** Not a secret: an address on a public chain. */
  | { label: string; kind: 'address'; value: string };

/** The rows of an account's card, in the order of the console spec. Fields that are not stored are left out. */
export function accountFields(account: TraderExchange): AccountField[] {
  const secret = (label: string, field: CredentialField): AccountField[] => {
    const masked = account[field];
    return masked ? [{ label, kind: 'secret', field, masked }] : [];
  };
  const address = (label: string, value: string | null | undefined): AccountField[] =>
    value ? [{ label, kind: 'address', value }] : [];
  if (account.exchange === 'hyperliquid') {
    return [
      ...secret('Agent Private Key', 'agent_private_key'),
      ...address('Agent Address', account.agent_address),
      ...address('Master Address', account.master_address),
    ];
  }
  return [
    ...secret('API Key', 'api_key'),
    ...secret('Secret Key', 'secret_key'),
    ...secret('Passphrase', 'passphrase'),
  ];
}
