import { randomUUID } from 'node:crypto';
import { PERSONAS, type Persona } from '@copydesk/contract/people';
import type { Flags } from '@copydesk/domain/access';
import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import type { EmbeddedIdentity, Person } from '../../../platform/identity/identity.ts';
import { setConfirmed } from '../users/sponsors.store.ts';
import { activateUser, findUserByEmail, insertUser } from '../users/users.store.ts';

/** Personas are not new: both super admins may approve from the first minute. */
const AGE_MS = 30 * 24 * 3600 * 1000;
const ACTOR = { kind: 'system', id: 'demo', name: 'Demo world' } as const;

const NAMES: Record<Persona, string> = {
  super: 'Super admin',
  'super-2': 'Second super admin',
  staff: 'Staff of one provider',
  'staff-multi': 'Staff of three providers',
  'no-access': 'Admin with no provider access',
  'not-admin': 'Signed-in without the admin flag',
};

export function personaEmail(persona: Persona): string {
  return `${persona}@demo.example`;
}

/** The persona of a person; null: none. */
export function findPersona({ email }: { email: string }): Persona | null {
  return PERSONAS.find((persona) => personaEmail(persona) === email) ?? null;
}

/**
 * Whether a person may act on money and secrets: with a second factor, or as a persona of the demo world, which has no
 * device of its own.
 * @param isDemo both the setting and the mark of the database
 */
export const createVerification =
  ({ isDemo }: { isDemo: boolean }) =>
  (person: Person): boolean =>
    person.factors.hasSecondFactor || (isDemo && findPersona(person) !== null);

/** Derived from the identity secret of this installation, so no person knows or types it. */
export function personaPassword(identity: Pick<EmbeddedIdentity, 'passwords'>, persona: Persona): string {
  return identity.passwords.derive(`demo-persona:${persona}`);
}

/** The flags of a persona, with providers ordered by name. */
function personaFlags(persona: Persona, providerIds: readonly string[]): Flags {
  switch (persona) {
    case 'super':
    case 'super-2':
      return { admin: true, super: true, providerAccess: [] };
    case 'staff':
      return { admin: true, super: false, providerAccess: providerIds.slice(0, 1) };
    case 'staff-multi':
      return { admin: true, super: false, providerAccess: providerIds.slice(0, 3) };
    case 'no-access':
      return { admin: true, super: false, providerAccess: [] };
    case 'not-admin':
      return { admin: false, super: false, providerAccess: [] };
  }
}

/** Creates missing users of the one-click personas, for the demo world after seeding. */
export async function ensureDemoPersonas(deps: {
  db: Database;
  identity: Pick<EmbeddedIdentity, 'passwords'>;
  now: () => Date;
}): Promise<void> {
  const { db, identity, now } = deps;
  const missing = await db.read(WHOLE_SCOPE, async (tx) => {
    const found = await Promise.all(PERSONAS.map((persona) => findUserByEmail(tx, personaEmail(persona))));
    return PERSONAS.filter((_persona, index) => found[index] === null);
  });
  if (missing.length === 0) return;
  const hashes = await Promise.all(
    missing.map((persona) => identity.passwords.hash(personaPassword(identity, persona))),
  );
  await db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.demo-personas'))`.execute(tx.sql);
    const { rows } = await sql<{
      id: string;
    }>`SELECT id FROM provider ORDER BY lower(name), id LIMIT 3`.execute(tx.sql);
    const providerIds = rows.map((row) => row.id);
    for (const [index, persona] of missing.entries())
      await createPersona(tx, persona, {
        providerIds,
        passwordHash: hashes[index] ?? '',
        at: new Date(now().getTime() - AGE_MS),
      });
  });
}

async function createPersona(
  tx: WriteTx,
  persona: Persona,
  { providerIds, passwordHash, at }: { providerIds: string[]; passwordHash: string; at: Date },
): Promise<void> {
  const email = personaEmail(persona);
  if (await findUserByEmail(tx, email)) return; // another process was faster
  const flags = personaFlags(persona, providerIds);
  const id = randomUUID();
  const name = NAMES[persona];
  await insertUser(tx, { id, email, name, flags }, at);
  await activateUser(tx, { id, name, passwordHash }, at);
  if (flags.super) await setConfirmed(tx, id, null, at);
  tx.audit({
    action: 'user.demo_created',
    target: { kind: 'user', id },
    after: { email, admin: flags.admin, super: flags.super, provider_access: [...flags.providerAccess] },
  });
}
