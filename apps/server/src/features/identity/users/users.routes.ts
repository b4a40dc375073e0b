import { scopeOf } from '@copydesk/domain';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../../platform/http/api-error.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { signInLink } from '../../../platform/identity/sign-in-link.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { inviteUser, renewInvitation } from '../invitations/invitations.service.ts';
import { isFromThisMachine } from '../set-up/loopback.ts';
import { personOf, provesBy } from '../sign-in/proof.ts';
import { confirmUser } from './confirmation.service.ts';
import { changeUser, endUserSessions, removeSecondFactorOf } from './users.service.ts';
import { findUser } from './users.store.ts';
import {
  countUsers,
  listScopedCommunities,
  listUsers,
  readMe,
  readUser,
  readUserDetail,
} from './users.views.ts';

type UserRoutes = Pick<
  Handlers,
  | 'GET /api/me'
  | 'GET /api/users'
  | 'GET /api/users/{id}'
  | 'POST /api/users/invitations'
  | 'POST /api/users/{id}/invitation'
  | 'DELETE /api/users/{id}/sessions'
  | 'DELETE /api/users/{id}/second-factor'
  | 'PATCH /api/users/{id}'
  | 'POST /api/users/{id}/confirm'
  | 'GET /api/users/{id}/communities'
>;

/** Routes for the signed-in person and for user administration. */
export function createUserRoutes({
  db,
  identity,
  mailer,
  origin,
  totals,
  isDemo,
  log,
  now,
}: IdentityDeps): UserRoutes {
  const sendInvitation = async (email: string, link: string): Promise<boolean> => {
    if (!mailer) return false;
    const text = `You are invited to Copydesk. Choose a name and a password within 48 hours:\n${link}\n`;
    try {
      await mailer({ to: email, subject: 'Your invitation to Copydesk', text });
      return true;
    } catch (error) {
      log.error({ err: error }, 'invitation mail failed; the link is returned instead');
      return false;
    }
  };

  /** E-mails the link, or returns it to be shown once. */
  const sendLink = async (
    email: string,
    { id, token }: { id: string; token: string },
    reply: FastifyReply,
  ) => {
    identity.forget(id);
    const link = signInLink(origin, 'accept', token);
    const eMailed = await sendInvitation(email, link);
    reply.header('cache-control', 'no-store');
    return { success: true as const, data: { id, e_mailed: eMailed, link: eMailed ? null : link } };
  };

  return {
    'GET /api/me': async ({ principal, scope, http }) => {
      const person = personOf(principal);
      const { id, email, name, flags } = person;
      const more = await db.read(scope, (tx) => readMe(tx, { id, flags }));
      return {
        success: true,
        data: {
          id,
          email,
          name,
          admin: flags.admin,
          super: flags.super,
          ...more,
          viewed_by: person.impersonator?.email ?? null,
          reauthenticates_by: provesBy(person, isDemo && isFromThisMachine(http)),
        },
      };
    },

    'GET /api/users': async ({ scope, query }) => {
      const { limit, offset, ...filters } = query;
      const counted = totals.get(`users ${JSON.stringify(filters)}`, () =>
        db.read(scope, (tx) => countUsers(tx, filters)),
      );
      const [data, { value: total }] = await Promise.all([
        db.read(scope, (tx) => listUsers(tx, query)),
        counted,
      ]);
      return { success: true, data, meta: { total } };
    },

    'GET /api/users/{id}': async ({ scope, principal, params: { id } }) => {
      const { sessionId } = personOf(principal);
      const user = await db.read(scope, (tx) => readUserDetail(tx, id, sessionId));
      if (!user) throw new ApiError('not_found');
      return { success: true, data: user };
    },

    'POST /api/users/invitations': async ({ scope, actor, body, reply }) => {
      const { email, provider_access: providerAccess, ...flags } = body;
      const invited = await db.write(scope, actor, (tx) =>
        inviteUser(tx, { email, providerAccess, ...flags }, now()),
      );
      totals.touch();
      return sendLink(email, invited, reply);
    },

    'POST /api/users/{id}/invitation': async ({ scope, actor, params: { id }, reply }) => {
      const { email, ...invited } = await db.write(scope, actor, (tx) => renewInvitation(tx, id, now()));
      return sendLink(email, invited, reply);
    },

    'DELETE /api/users/{id}/sessions': async ({ scope, actor, params: { id } }) => {
      const ended = await db.write(scope, actor, (tx) => endUserSessions(tx, id));
      identity.forget(id);
      return { success: true, data: { ended } };
    },

    'DELETE /api/users/{id}/second-factor': async ({ scope, actor, params: { id } }) => {
      const user = await db.write(scope, actor, async (tx) => {
        await removeSecondFactorOf(tx, id, now());
        return readUser(tx, id);
      });
      identity.forget(id);
      if (!user) throw new ApiError('not_found');
      return { success: true, data: user };
    },

    'PATCH /api/users/{id}': async ({ scope, actor, params: { id }, body }) => {
      const { provider_access: providerAccess, ...change } = body;
      const user = await db.write(scope, actor, async (tx) => {
        await changeUser(tx, id, { ...change, providerAccess }, now());
        return readUser(tx, id);
      });
      identity.forget(id);
      totals.touch();
      if (!user) throw new ApiError('not_found');
      return { success: true, data: user };
    },

    'POST /api/users/{id}/confirm': async ({ scope, actor, params: { id } }) => {
      const user = await db.write(scope, actor, async (tx) => {
        await confirmUser(tx, id, now());
        return readUser(tx, id);
      });
      if (!user) throw new ApiError('not_found');
      return { success: true, data: user };
    },

    'GET /api/users/{id}/communities': async ({ principal, scope, params: { id } }) => {
      if (id === principal.id) return { success: true, data: await db.read(scope, listScopedCommunities) };
      if (!principal.flags.super) throw new ApiError('not_found');
      const user = await db.read(scope, (tx) => findUser(tx, id));
      if (!user) throw new ApiError('not_found');
      return { success: true, data: await db.read(scopeOf(user.flags), listScopedCommunities) };
    },
  };
}
