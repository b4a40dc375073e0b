import { scopeOf } from '@copydesk/domain/access';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { isFromThisMachine } from '../../../platform/http/loopback.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { readDefaultViews } from '../../settings/default-views.views.ts';
import { removeHostedSecondFactor } from '../hosted/remove-second-factor.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { inviteUser, renewInvitation } from '../invitations/invitations.service.ts';
import { createSendLink } from '../invitations/send-link.ts';
import { readOwnSettings } from '../own-settings/own-settings.store.ts';
import { personOf, provesBy } from '../sign-in/proof.ts';
import { listAccessCalls } from './access-calls.ts';
import { createAccountMail } from './account-mail.ts';
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
  | 'GET /api/access/calls'
>;

/** Routes for the signed-in person and for user administration. */
export function createUserRoutes(deps: IdentityDeps): UserRoutes {
  const { db, identity, totals, isDemo, now } = deps;
  const sendLink = createSendLink(deps);
  const mailAbout = createAccountMail(deps);

  return {
    'GET /api/me': async ({ principal, http }) => {
      const person = personOf(principal);
      const { id, email, name, flags } = person;
      const { organization } = person;
      // The names of all the person's providers, so that the choice does not depend on the current one.
      const whole = { ...flags, providerAccess: organization?.among ?? flags.providerAccess };
      const { providers, ...more } = await db.read(
        scopeOf(whole),
        async (tx) => ({
          ...(await readMe(tx, { id, flags: whole })),
          ...(await readOwnSettings(tx, id)),
          default_views: await readDefaultViews(tx, id),
        }),
        { kind: 'user', id },
      );
      return {
        success: true,
        data: {
          id,
          email,
          name,
          admin: flags.admin,
          super: flags.super,
          ...more,
          providers: providers.filter((provider) => flags.providerAccess.includes(provider.id)),
          organization: organization?.id ?? null,
          organizations: providers.map(({ role, ...provider }) => provider),
          viewed_by: person.impersonator?.email ?? null,
          reauthenticates_by:
            identity.kind === 'hosted'
              ? 'identity_service'
              : provesBy(person, isDemo && isFromThisMachine(http)),
        },
      };
    },

    'GET /api/access/calls': async () => ({ success: true, data: listAccessCalls() }),

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
      if (!user) throw new Refusal('not_found');
      return { success: true, data: user };
    },

    'POST /api/users/invitations': async ({ scope, actor, body, reply }) => {
      const { email, provider_access: providerAccess, staff_roles: staffRoles, ...flags } = body;
      const invited = await retryConflicts(() =>
        db.write(scope, actor, (tx) =>
          inviteUser(tx, { email, providerAccess, staffRoles, ...flags }, now()),
        ),
      );
      return sendLink(email, invited, { actor, reply });
    },

    'POST /api/users/{id}/invitation': async ({ scope, actor, params: { id }, reply }) => {
      const { email, ...invited } = await retryConflicts(() =>
        db.write(scope, actor, (tx) => renewInvitation(tx, id, now())),
      );
      return sendLink(email, invited, { actor, reply });
    },

    'DELETE /api/users/{id}/sessions': async ({ scope, actor, params: { id } }) => {
      const ended = await db.write(scope, actor, (tx) => endUserSessions(tx, id, now()));
      identity.forget(id);
      return { success: true, data: { ended } };
    },

    'DELETE /api/users/{id}/second-factor': async ({ scope, actor, params: { id } }) => {
      const { user, send } = await db.write(scope, actor, async (tx) => {
        await removeSecondFactorOf(tx, id, now());
        const left = await readUser(tx, id);
        if (!left) throw new Refusal('not_found');
        return { user: left, send: await mailAbout(tx, left.email, 'second_factor', actor.name) };
      });
      identity.forget(id);
      send();
      if (identity.kind === 'hosted')
        await removeHostedSecondFactor({ db, directory: identity.directory }, id);
      return { success: true, data: user };
    },

    'PATCH /api/users/{id}': async ({ scope, actor, params: { id }, body }) => {
      const { provider_access: providerAccess, staff_roles: staffRoles, ...change } = body;
      const { user, send } = await retryConflicts(() =>
        db.write(scope, actor, async (tx) => {
          const loss = await changeUser(tx, id, { ...change, providerAccess, staffRoles }, now());
          const changed = await readUser(tx, id);
          if (!changed) throw new Refusal('not_found');
          const isTold = loss && id !== actor.id;
          return {
            user: changed,
            send: isTold ? await mailAbout(tx, changed.email, loss, actor.name) : null,
          };
        }),
      );
      identity.forget(id);
      send?.();
      return { success: true, data: user };
    },

    'POST /api/users/{id}/confirm': async ({ scope, actor, params: { id } }) => {
      const user = await db.write(scope, actor, async (tx) => {
        await confirmUser(tx, id, now());
        return readUser(tx, id);
      });
      if (!user) throw new Refusal('not_found');
      return { success: true, data: user };
    },

    'GET /api/users/{id}/communities': async ({ principal, scope, params: { id } }) => {
      if (id === principal.id) return { success: true, data: await db.read(scope, listScopedCommunities) };
      if (!principal.flags.super) throw new Refusal('not_found');
      const user = await db.read(scope, (tx) => findUser(tx, id));
      if (!user) throw new Refusal('not_found');
      return { success: true, data: await db.read(scopeOf(user.flags), listScopedCommunities) };
    },
  };
}
