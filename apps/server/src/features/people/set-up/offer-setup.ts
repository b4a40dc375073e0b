import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { EmbeddedIdentity } from '../../../platform/identity/identity.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../../platform/identity/opaque-token.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { readSecretFile, writeSecretFile } from '../../../platform/secrets/secret-file.ts';
import { insertSetupToken, isSetupTokenOpen } from '../invitations/one-time-tokens.store.ts';

const LIFETIME_MS = 24 * 3600 * 1000;
const ACTOR = { kind: 'system', id: 'setup', name: 'Set-up' } as const;

export interface OfferSetupDeps {
  db: Database;
  identity: Pick<EmbeddedIdentity, 'isSetupOpen'>;
  dataDir: string | undefined;
  /** Origin of the console. */
  origin: string;
  log: Logger;
  now: () => Date;
}

/**
 * Runs at every start. While no super admin can sign in, it writes the set-up token for the first one to the log and to
 * a file that only the operator may read. There is no default password.
 */
export async function offerSetup({ db, identity, dataDir, origin, log, now }: OfferSetupDeps): Promise<void> {
  const file = dataDir === undefined ? null : join(dataDir, 'secrets', 'setup-token');
  if (!(await identity.isSetupOpen())) {
    if (file) await rm(file, { force: true });
    return;
  }
  const token = (await findOpenToken(db, file, now())) ?? (await createToken(db, file, now()));
  log.warn(
    `No super admin exists yet. Open ${origin}/sign-in#/setup and enter this token within 24 hours: ${token}`,
  );
}

/** The token of an earlier start while it is valid, so a restart does not invalidate the operator's token. */
async function findOpenToken(db: Database, file: string | null, at: Date): Promise<string | null> {
  const token = file ? await readSecretFile(file) : null;
  if (token === null) return null;
  const isOpen = await db.read(WHOLE_SCOPE, (tx) => isSetupTokenOpen(tx, hashOpaqueToken(token), at));
  return isOpen ? token : null;
}

async function createToken(db: Database, file: string | null, at: Date): Promise<string> {
  const token = createOpaqueToken();
  const expiresAt = new Date(at.getTime() + LIFETIME_MS);
  await db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    await insertSetupToken(tx, hashOpaqueToken(token), expiresAt, at);
    tx.audit({
      action: 'setup.offered',
      target: { kind: 'setup', id: 'first-super-admin' },
      after: { expires_at: expiresAt.toISOString() },
    });
  });
  if (file) await writeSecretFile(file, token);
  return token;
}
