import type { TraderExchange } from '@copydesk/contract/exchanges';
import {
  CREDENTIAL_NAMES,
  CREDENTIALS,
  type CredentialField,
  type CredentialName,
  EXCHANGE_CREDENTIALS,
} from '@copydesk/domain/trading';

/** One row of an account's credentials. */
export type AccountField =
  /** Stored encrypted: the console has dots, and requests the plain value. */
  | { label: string; kind: 'secret'; field: CredentialField; masked: string }
  /** Not a secret: an address on a public chain. */
  | { label: string; kind: 'address'; value: string };

/** The rows of an account's card, in the order of the console spec. Fields that are not stored are left out. */
export function accountFields(account: TraderExchange): AccountField[] {
  const names: readonly CredentialName[] = EXCHANGE_CREDENTIALS[account.exchange];
  return CREDENTIAL_NAMES.filter((name) => names.includes(name)).flatMap((name): AccountField[] => {
    const { label } = CREDENTIALS[name];
    const value = account[name];
    if (!value) return [];
    return isSecret(name)
      ? [{ label, kind: 'secret', field: name, masked: value }]
      : [{ label, kind: 'address', value }];
  });
}

const isSecret = (name: CredentialName): name is CredentialField => CREDENTIALS[name].isSecret;
