import type { CallParsed } from '@copydesk/contract';
import type { AuditValue } from '../../../platform/audit/audit.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../../platform/identity/opaque-token.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { requireProviders } from '../users/users.service.ts';
import * as store from './service-tokens.store.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Enough to distinguish tokens in a list, and 220 bits short of the key. */
const PREFIX_LENGTH = 10;

type Wanted = CallParsed<'POST /api/service-tokens'>['body'];

/** Creates a token in the caller's name and returns its secret, this one time only. */
export async function createServiceToken(
  tx: WriteTx,
  wanted: Wanted,
  at: Date,
): Promise<store.ServiceToken & { token: string }> {
  await requireProviders(tx, wanted.provider_ids);
  const key = createOpaqueToken();
  const token = `Bot_${key}`;
  const created = await store.insertServiceToken(
    tx,
    {
      name: wanted.name,
      prefix: token.slice(0, PREFIX_LENGTH),
      keyHash: hashOpaqueToken(key),
      scopes: wanted.scopes,
      providerIds: wanted.provider_ids,
      ownerId: tx.actor.id,
      expiresAt: new Date(at.getTime() + wanted.expires_in_days * DAY_MS),
    },
    at,
  );
  tx.audit({
    action: 'service_token.created',
    target: { kind: 'service_token', id: created.id },
    after: created as unknown as AuditValue,
  });
  return { ...created, token };
}

/** Revokes a token. An already revoked one stays unchanged. */
export async function revokeServiceToken(tx: WriteTx, id: string, at: Date): Promise<store.ServiceToken> {
  const current = await store.findServiceTokenForUpdate(tx, id);
  if (!current) throw new Refusal('not_found');
  if (current.revoked_at !== null) return current;
  const revoked = await store.revokeServiceToken(tx, id, at);
  tx.audit({
    action: 'service_token.revoked',
    target: { kind: 'service_token', id },
    before: { name: current.name, revoked_at: null },
    after: { name: revoked.name, revoked_at: revoked.revoked_at },
  });
  return revoked;
}
