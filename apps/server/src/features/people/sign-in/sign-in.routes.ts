import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { isFromThisMachine } from '../../../platform/http/loopback.ts';
import { findResetting } from '../../../platform/identity/embedded/accounts.store.ts';
import { hashOpaqueToken } from '../../../platform/identity/opaque-token.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { EmbeddedIdentityDeps } from '../identity-deps.ts';
import { acceptInvitation } from '../invitations/invitations.service.ts';
import { findInvited, isSetupTokenOpen } from '../invitations/one-time-tokens.store.ts';
import { findPersona, personaEmail, personaPassword } from '../set-up/demo-personas.ts';
import { isDemoWorld } from '../set-up/demo-world.views.ts';
import { claimSetup } from '../set-up/setup.service.ts';
import { personOf, proofIn } from './proof.ts';

type SignInRoutes = Pick<
  Handlers,
  | 'POST /api/demo/sign-in'
  | 'POST /api/reauthenticate'
  | 'POST /api/setup'
  | 'POST /api/sign-in-links/look'
  | 'POST /api/invitations/accept'
>;

/**
 * The same calls with a hosted identity service: it signs people in and takes their proofs on its own pages, so they are
 * not found here.
 */
export function createHostedSignInRoutes(): SignInRoutes {
  const refuse = async () => {
    throw new Refusal('not_found');
  };
  return {
    'POST /api/demo/sign-in': refuse,
    'POST /api/reauthenticate': refuse,
    'POST /api/setup': refuse,
    'POST /api/sign-in-links/look': refuse,
    'POST /api/invitations/accept': refuse,
  };
}

/** Routes for signing in and for proving one's identity again. */
export function createSignInRoutes({ db, identity, isDemo, now }: EmbeddedIdentityDeps): SignInRoutes {
  const hashNew = async (password: string, own: { email: string; name: string }): Promise<string> => {
    const problem = await identity.passwords.findProblem(password, own);
    if (problem) throw new Refusal('weak_password', { message: problem });
    return identity.passwords.hash(password);
  };
  return {
    'POST /api/demo/sign-in': async ({ body, http, reply }) => {
      // The setting alone is not enough: the database must be a demo world.
      if (!isDemo || !(await db.read(WHOLE_SCOPE, isDemoWorld))) throw new Refusal('not_found');
      if (!isFromThisMachine(http)) throw new Refusal('demo_only_on_loopback');
      const { token, cookies } = await identity.passwords.signIn(
        { email: personaEmail(body.persona), password: personaPassword(identity, body.persona) },
        http.ip,
      );
      reply.header('set-cookie', cookies).header('cache-control', 'no-store');
      return { success: true, token };
    },

    'POST /api/reauthenticate': async ({ principal, scope, actor, body, http, reply }) => {
      const person = personOf(principal);
      const persona = isDemo && isFromThisMachine(http) ? findPersona(person) : null;
      const proof = proofIn(body, () => persona && personaPassword(identity, persona));
      if (!proof) throw new Refusal('reauthentication_method');
      const result = await identity.reauth.prove(person, proof, http.ip);
      await db.write(scope, actor, async (tx) => {
        tx.audit({
          action: result.ok ? 'user.reauthenticated' : 'user.reauthentication_refused',
          target: { kind: 'user', id: person.id },
          after: { by: Object.keys(body).join(), ...(result.ok ? {} : { why: result.code }) },
        });
      });
      reply.header('cache-control', 'no-store');
      if (result.ok) return { success: true, token: result.token };
      if (result.code === 'too_many_attempts') reply.header('retry-after', String(result.waitSeconds));
      throw new Refusal(result.code);
    },

    'POST /api/setup': async ({ body: { token, password, ...person }, requestId }) => {
      // Checked first, because hashing a password is expensive and a guessed token must not trigger it.
      if (!(await db.read(WHOLE_SCOPE, (tx) => isSetupTokenOpen(tx, hashOpaqueToken(token), now()))))
        throw new Refusal('setup_token_invalid');
      const passwordHash = await hashNew(password, person);
      const actor = { kind: 'system', id: 'setup', name: 'Set-up', requestId } as const;
      const data = await db.write(WHOLE_SCOPE, actor, (tx) =>
        claimSetup(tx, { token, passwordHash, ...person }, now()),
      );
      return { success: true, data };
    },

    'POST /api/sign-in-links/look': async ({ body: { kind, token }, reply }) => {
      const owner = await db.read(WHOLE_SCOPE, (tx) =>
        kind === 'accept' ? findInvited(tx, hashOpaqueToken(token), now()) : findResetting(tx, token, now()),
      );
      if (!owner) throw new Refusal(kind === 'accept' ? 'invitation_invalid' : 'link_invalid');
      reply.header('cache-control', 'no-store');
      return { success: true, data: { email: owner.email } };
    },

    'POST /api/invitations/accept': async ({ body: { token, name, password }, requestId }) => {
      const invited = await db.read(WHOLE_SCOPE, (tx) => findInvited(tx, hashOpaqueToken(token), now()));
      if (!invited) throw new Refusal('invitation_invalid');
      const passwordHash = await hashNew(password, { ...invited, name });
      const actor = { kind: 'system', id: 'invitation', name: 'Invited person', requestId } as const;
      const { email } = await db.write(WHOLE_SCOPE, actor, (tx) =>
        acceptInvitation(tx, { token, name, passwordHash }, now()),
      );
      return { success: true, data: { email } };
    },
  };
}
