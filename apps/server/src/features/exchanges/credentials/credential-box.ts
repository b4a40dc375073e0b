import type { CredentialField } from '@copydesk/domain/trading';
import { sql } from 'kysely';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { type SealedSecret, sealSecret } from '../../../platform/secrets/sealed-secret.ts';
import { sealedTable } from '../../../platform/secrets/sealed-table.ts';
import { openStored } from '../../../platform/secrets/stored-secret.ts';

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
export const openCredential = (keyring: Keyring, row: CredentialPlace & SealedSecret): string =>
  openStored(keyring, row, placeName(row));

const placeName = ({ accountId, providerId, field, version }: CredentialPlace) =>
  `exchange_credential|${accountId}|${field}|${providerId}|${version}`;

/** The credentials of traders' accounts, for the rotation of the master key. */
export const SEALED_CREDENTIALS = sealedTable<CredentialPlace>({
  table: 'exchange_credential',
  key: ['account_id', 'field'],
  reads: sql`account_id AS "accountId", provider_id AS "providerId", field, version`,
  place: placeName,
});
