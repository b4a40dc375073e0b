import type { Statements } from '../db/statements.ts';
import { type AccessRow, flagsOf } from './access-row.ts';
import type { AuthResult, Identity, Principal } from './identity.ts';

/** The caller is known whatever it sent, so the security log names it. */
const endedFor = (caller: Principal): AuthResult => ({ ok: false, code: 'view_as_ended', caller });

interface ViewedRow extends AccessRow {
  name: string;
  email: string;
}

/** Lets a super admin read with the eyes of another user while a view of that user is open. */
export function acceptViewAs<I extends Identity>(
  identity: I,
  { statements, now }: { statements: Statements; now: () => Date },
): I {
  const look = async (viewer: Principal, userId: string): Promise<AuthResult> => {
    if (viewer.kind !== 'user' || !viewer.flags.super) return endedFor(viewer);
    const { rows } = await statements.query<ViewedRow>({
      name: 'identity-viewed',
      text: `SELECT u.name, u.email, a.admin, a.super, a.provider_ids, a.staff_roles
             FROM identity.view_as v JOIN identity."user" u ON u.id = v.user_id
             JOIN identity.user_access a ON a.user_id = v.user_id
             WHERE v.viewer_id = $1 AND v.user_id::text = $2 AND v.expires_at > $3
               AND NOT a.super AND a.disabled_at IS NULL`,
      values: [viewer.id, userId, now()],
    });
    const [row] = rows;
    if (!row) return endedFor(viewer);
    return {
      ok: true,
      principal: {
        ...viewer,
        id: userId,
        name: row.name,
        email: row.email,
        flags: flagsOf(row),
        impersonator: { id: viewer.id, email: viewer.email },
      },
    };
  };
  return {
    ...identity,
    async authenticate(authorization, { viewAs, ...options } = {}) {
      if (viewAs === undefined) return identity.authenticate(authorization, options);
      const viewer = await identity.authenticate(authorization, { fresh: true });
      return viewer.ok ? look(viewer.principal, viewAs) : viewer;
    },
  };
}
