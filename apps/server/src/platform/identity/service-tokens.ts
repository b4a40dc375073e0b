import { type Flags, SERVICE_SCOPES, type ServiceScope } from '@copydesk/domain/access';
import type { Statements } from '../db/statements.ts';
import type { AuthResult, Identity } from './identity.ts';
import { hashOpaqueToken } from './opaque-token.ts';

/** `Bot_<key>` or `Bot <key>`. */
const HEADER = /^Bot[_ ]([\w-]{43})$/;
const REFUSED: AuthResult = { ok: false, code: 'invalid_service_token' };

interface TokenRow {
  id: string;
  name: string;
  scopes: string[];
  provider_ids: string[];
  owner_is_super: boolean;
  owner_provider_ids: string[];
  owner_staff_roles: Flags['staffRoles'];
  seen_lately: boolean;
}

/** Lets an identity service accept our service tokens (`Bot...`) as well. */
export function acceptServiceTokens<I extends Identity>(
  identity: I,
  { statements, now }: { statements: Statements; now: () => Date },
): I {
  const check = createServiceTokenCheck(statements, now);
  return {
    ...identity,
    authenticate: (authorization, options) =>
      authorization?.startsWith('Bot') ? check(authorization) : identity.authenticate(authorization, options),
  };
}

/**
 * Looks up a service token by its hash, on every use: a token that is revoked, or whose owner is disabled, is refused
 * at once in every process. It never gives more than its owner has, and never super.
 */
function createServiceTokenCheck(statements: Statements, now: () => Date) {
  return async (authorization: string): Promise<AuthResult> => {
    const key = HEADER.exec(authorization)?.[1];
    if (!key) return REFUSED;
    const { rows } = await statements.query<TokenRow>({
      name: 'identity-service-token',
      text: `SELECT t.id, t.name, t.scopes, t.provider_ids, a.super AS owner_is_super,
               a.provider_ids AS owner_provider_ids, a.staff_roles AS owner_staff_roles,
               coalesce(t.last_used_at > $2::timestamptz - interval '1 minute', false) AS seen_lately
             FROM identity.service_token t JOIN identity.user_access a ON a.user_id = t.owner_id
             WHERE t.key_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2
               AND a.disabled_at IS NULL AND a.admin`,
      values: [hashOpaqueToken(key), now()],
    });
    const row = rows[0];
    if (!row) return REFUSED;
    if (!row.seen_lately) await markUsed(statements, row.id, now());
    return {
      ok: true,
      principal: {
        kind: 'service',
        id: row.id,
        name: row.name,
        scopes: row.scopes.filter(isServiceScope),
        isOfSuper: row.owner_is_super,
        flags: {
          admin: true,
          super: false,
          providerAccess: providersOf(row),
          ...(!row.owner_is_super && row.owner_staff_roles && { staffRoles: row.owner_staff_roles }),
        },
      },
    };
  };
}

/** At most once a minute, across all requests and processes: a write per request would be its most expensive part. */
async function markUsed(statements: Statements, id: string, at: Date): Promise<void> {
  await statements.query(
    `UPDATE identity.service_token SET last_used_at = $2
     WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
    [id, at],
  );
}

function providersOf(row: TokenRow): string[] {
  if (row.owner_is_super) return row.provider_ids;
  return row.provider_ids.filter((id) => row.owner_provider_ids.includes(id));
}

function isServiceScope(scope: string): scope is ServiceScope {
  return (SERVICE_SCOPES as readonly string[]).includes(scope);
}
