import type { CredentialField } from '@copydesk/domain';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import {
  openSecret,
  rewrapSecret,
  SealError,
  type SealedSecret,
  sealSecret,
} from '../../../platform/crypto/sealed-secret.ts';

/** The place where a secret is stored. In another row, field or provider it does not open. */
export interface CredentialPlace {
  accountId: string;
  providerId: string;
  field: CredentialField;
  version: number;
}

/** One row of exchange_credential, as written. */
export interface CredentialRow extends CredentialPlace, SealedSecret {
  /** One dot per character of the secret, at most 32 (console spec, Trader detail). */
  masked: string;
  fingerprint: Buffer;
}

const VERSION = 1;
const LONGEST_MASK = 32;

/** Encrypts the secrets of one account. */
export function sealCredentials(
  keyring: Keyring,
  account: { accountId: string; providerId: string },
  secrets: Partial<Record<CredentialField, string>>,
): CredentialRow[] {
  return Object.entries(secrets).map(([field, value]) => {
    const place = { ...account, field: field as CredentialField, version: VERSION };
    return {
      ...place,
      ...sealSecret(value, placeName(place), keyring.current),
      masked: '•'.repeat(Math.min(value.length, LONGEST_MASK)),
      // Keys are searched by fingerprint; for other secrets the fingerprint must not reveal equal values.
      fingerprint: keyring.fingerprint(field === 'api_key' ? `${field} ${value}` : placeName(place)),
    };
  });
}

/** @throws SealError when the bytes were changed or moved, or their master key is missing */
export function openCredential(keyring: Keyring, row: CredentialPlace & SealedSecret): string {
  const master = keyring.find(row.masterKeyId);
  if (!master) throw new SealError();
  return openSecret(row, placeName(row), master);
}

/** Wraps the same secret with the current master key; null when it already is. @throws SealError */
export function rewrapCredential(keyring: Keyring, row: CredentialPlace & SealedSecret): SealedSecret | null {
  if (row.masterKeyId === keyring.current.id) return null;
  const master = keyring.find(row.masterKeyId);
  if (!master) throw new SealError();
  return rewrapSecret(row, placeName(row), master, keyring.current);
}

const placeName = ({ accountId, providerId, field, version }: CredentialPlace) =>
  `exchange_credential|${accountId}|${field}|${providerId}|${version}`;
