import type { CredentialField } from '@copydesk/domain/trading';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import type { SealedSecret } from '../../../platform/secrets/sealed-secret.ts';
import type { CredentialPlace, CredentialRow } from './credential-box.ts';

export type StoredCredential = CredentialPlace & SealedSecret;

export async function insertCredentials(tx: WriteTx, rows: readonly CredentialRow[]): Promise<void> {
  await tx.sql
    .insertInto('exchange_credential')
    .values(
      rows.map((row) => ({
        account_id: row.accountId,
        provider_id: row.providerId,
        field: row.field,
        version: row.version,
        ciphertext: row.ciphertext,
        wrapped_key: row.wrappedKey,
        master_key_id: row.masterKeyId,
        masked: row.masked,
        fingerprint: row.fingerprint,
      })),
    )
    .execute();
}

export async function listCredentials(tx: Tx, accountIds: readonly string[]): Promise<StoredCredential[]> {
  const { rows } = await sql<StoredCredential>`
    SELECT account_id AS "accountId", provider_id AS "providerId", field, version, ciphertext,
      wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"
    FROM exchange_credential
    WHERE account_id = ANY (${[...accountIds]}::uuid[]) AND ${providerInScope(tx, 'provider_id')}`.execute(
    tx.sql,
  );
  return rows;
}

export async function findCredential(
  tx: Tx,
  accountId: string,
  field: CredentialField,
): Promise<StoredCredential | null> {
  const rows = await listCredentials(tx, [accountId]);
  return rows.find((row) => row.field === field) ?? null;
}

/** Whether a provider allows only super admins to see the secrets of its accounts. */
export async function isRevealSuperOnly(tx: Tx, providerId: string): Promise<boolean> {
  const { rows } = await sql<{ is_super_only: boolean }>`
    SELECT p.reveal_super_only AS is_super_only FROM provider p
    WHERE p.id = ${providerId} AND ${providerInScope(tx, 'p.id')}`.execute(tx.sql);
  return rows[0]?.is_super_only ?? true;
}

/** Notes beside a secret that the caller has viewed it. */
export async function recordReveal(
  tx: WriteTx,
  { accountId, field }: Pick<StoredCredential, 'accountId' | 'field'>,
  at: Date,
): Promise<void> {
  await sql`
    UPDATE exchange_credential SET revealed_at = ${at}, revealed_by = ${tx.actor.name}, revealed_by_id = ${tx.actor.id}
    WHERE account_id = ${accountId} AND field = ${field} AND ${providerInScope(tx, 'provider_id')}`.execute(
    tx.sql,
  );
}

export async function deleteCredentials(tx: WriteTx, accountId: string): Promise<void> {
  await tx.sql
    .deleteFrom('exchange_credential')
    .where('account_id', '=', accountId)
    .where(providerInScope(tx, 'provider_id'))
    .execute();
}

/** Keeps the credentials of a removed account for its last read, and for nothing else. */
export async function keepForLastRead(tx: WriteTx, accountId: string): Promise<void> {
  await tx.sql
    .updateTable('exchange_credential')
    .set({ kept_for_last_read: true })
    .where('account_id', '=', accountId)
    .where(providerInScope(tx, 'provider_id'))
    .execute();
}
