import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

export type ServiceToken = CallAnswer<'GET /api/service-tokens'>['data'][number];

export interface NewServiceToken {
  name: string;
  prefix: string;
  keyHash: Buffer;
  scopes: readonly string[];
  providerIds: readonly string[];
  ownerId: string;
  expiresAt: Date;
}

const columns = sql`id, name, prefix, scopes, provider_ids, owner_id,
  (SELECT p.email FROM identity.person p WHERE p.id = owner_id) AS owner, app.iso(expires_at) AS expires_at,
  app.iso(revoked_at) AS revoked_at, app.iso(last_used_at) AS last_used_at, app.iso(created_at) AS created_at`;

export async function listServiceTokens(tx: Tx, includeRevoked: boolean): Promise<ServiceToken[]> {
  const { rows } = await sql<ServiceToken>`SELECT ${columns} FROM identity.service_token t
    WHERE ${includeRevoked} OR revoked_at IS NULL ORDER BY t.created_at DESC, id`.execute(tx.sql);
  return rows;
}

export async function insertServiceToken(
  tx: WriteTx,
  token: NewServiceToken,
  at: Date,
): Promise<ServiceToken> {
  const { rows } = await sql<ServiceToken>`INSERT INTO identity.service_token
      (name, prefix, key_hash, scopes, provider_ids, owner_id, expires_at, created_at)
    VALUES (${token.name}, ${token.prefix}, ${token.keyHash}, ${[...token.scopes]}::text[],
      ${[...token.providerIds]}::uuid[], ${token.ownerId}, ${token.expiresAt}, ${at})
    RETURNING ${columns}`.execute(tx.sql);
  return rows[0] as ServiceToken;
}

export async function findServiceTokenForUpdate(tx: WriteTx, id: string): Promise<ServiceToken | null> {
  const { rows } = await sql<ServiceToken>`SELECT ${columns} FROM identity.service_token
    WHERE id = ${id} FOR UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function revokeServiceToken(tx: WriteTx, id: string, at: Date): Promise<ServiceToken> {
  const { rows } = await sql<ServiceToken>`UPDATE identity.service_token
    SET revoked_at = coalesce(revoked_at, ${at}::timestamptz) WHERE id = ${id}
    RETURNING ${columns}`.execute(tx.sql);
  return rows[0] as ServiceToken;
}

export async function revokeTokensOf(tx: WriteTx, ownerId: string, at: Date): Promise<void> {
  await sql`UPDATE identity.service_token SET revoked_at = ${at}
    WHERE owner_id = ${ownerId} AND revoked_at IS NULL`.execute(tx.sql);
}
