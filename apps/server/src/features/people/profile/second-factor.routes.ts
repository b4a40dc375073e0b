import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import {
  deletePasskey,
  listPasskeys,
  renamePasskey,
} from '../../../platform/identity/embedded/passkeys/passkeys.store.ts';
import type { Person, Principal } from '../../../platform/identity/identity.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { EmbeddedIdentityDeps } from '../identity-deps.ts';
import { personOf } from '../sign-in/proof.ts';
import { createOwnChangeMail } from '../users/account-mail.ts';

type SecondFactorRoutes = Pick<
  Handlers,
  | 'GET /api/me/second-factor'
  | `${'PATCH' | 'DELETE'} /api/me/passkeys/{id}`
  | 'POST /api/reauthenticate/passkey'
>;

/** A hosted identity service has the second factors on its own pages. */
export function createHostedSecondFactorRoutes(): SecondFactorRoutes {
  const refuse = async () => {
    throw new Refusal('not_found');
  };
  return {
    'GET /api/me/second-factor': refuse,
    'PATCH /api/me/passkeys/{id}': refuse,
    'DELETE /api/me/passkeys/{id}': refuse,
    'POST /api/reauthenticate/passkey': refuse,
  };
}

/** Routes for the second factors of the caller's own account. */
export function createSecondFactorRoutes({
  db,
  identity,
  mailer,
  log,
}: EmbeddedIdentityDeps): SecondFactorRoutes {
  const mailAbout = createOwnChangeMail({ mailer, log });
  return {
    'GET /api/me/second-factor': async ({ scope, principal }) => {
      const { id } = ownPerson(principal);
      const [codesLeft, passkeys] = await Promise.all([
        identity.countBackupCodes(id),
        db.read(scope, (tx) => listPasskeys(tx, id)),
      ]);
      return {
        success: true,
        data: { authenticator_app: codesLeft !== null, backup_codes_left: codesLeft, passkeys },
      };
    },

    'PATCH /api/me/passkeys/{id}': async ({ scope, actor, principal, params, body: { name } }) => {
      const { id } = ownPerson(principal);
      const renamed = await db.write(scope, actor, async (tx) => {
        const earlier = await renamePasskey(tx, id, { id: params.id, name });
        if (earlier === null) throw new Refusal('not_found');
        if (earlier !== name)
          tx.audit({
            action: 'user.passkey_renamed',
            target: { kind: 'user', id },
            before: { name: earlier },
            after: { name },
          });
        return (await listPasskeys(tx, id)).find((passkey) => passkey.id === params.id);
      });
      if (!renamed) throw new Refusal('not_found');
      return { success: true, data: renamed };
    },

    'DELETE /api/me/passkeys/{id}': async ({ scope, actor, principal, params }) => {
      const { id, email } = ownPerson(principal);
      await db.write(scope, actor, async (tx) => {
        const name = await deletePasskey(tx, id, params.id);
        if (name === null) throw new Refusal('not_found');
        tx.audit({ action: 'user.passkey_removed', target: { kind: 'user', id }, before: { name } });
      });
      identity.forget(id);
      // Mails are outside the scope of a person.
      const send = await db.write(WHOLE_SCOPE, actor, (tx) => mailAbout(tx, email, 'user.passkey_removed'));
      send();
      return { success: true, data: null };
    },

    'POST /api/reauthenticate/passkey': async ({ principal, reply }) => {
      const person = ownPerson(principal);
      if (!person.factors.enrolled.includes('passkey')) throw new Refusal('reauthentication_method');
      const { challenge, relyingPartyId, passkeys } = await identity.reauth.challengePasskey(person);
      reply.header('cache-control', 'no-store');
      return { success: true, data: { challenge, relying_party_id: relyingPartyId, passkeys } };
    },
  };
}

/** The caller, unless a super admin views as another person: how a person signs in is that person's own matter. */
function ownPerson(principal: Principal): Person {
  const person = personOf(principal);
  if (person.impersonator)
    throw new Refusal('person_required', { message: 'Second factors are shown to the person alone' });
  return person;
}
