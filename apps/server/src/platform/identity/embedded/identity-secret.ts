import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Statements } from '../../db/statements.ts';
import { StartError } from '../../process/start-error.ts';
import { createSecretFile, readSecretFile } from '../../secrets/secret-file.ts';

export interface SecretOptions {
  statements: Statements;
  /** The secret from the configuration, which overrides the file. */
  configured: string | undefined;
  dataDir: string | undefined;
}

/**
 * The secret behind cookies and stored keys: from the configuration, from `<dataDir>/secrets/identity-secret`, or
 * generated there on the very first start.
 * @throws when there is none though users exist, or when this database was used with another one: all sessions and
 * second factors would be lost silently
 */
export async function loadIdentitySecret({
  statements,
  configured,
  dataDir,
}: SecretOptions): Promise<string> {
  const secret = configured ?? (await fromFile(statements, dataDir));
  await checkOpensKeys(statements, secret);
  return secret;
}

async function fromFile(statements: Statements, dataDir: string | undefined): Promise<string> {
  if (!dataDir)
    throw new StartError(
      'There is no identity secret: set BETTER_AUTH_SECRET (32 characters or more, random).',
    );
  const path = join(dataDir, 'secrets', 'identity-secret');
  const stored = await readSecretFile(path);
  if (stored !== null) {
    if (stored.length < 32) throw new StartError(`The identity secret in ${path} is too short to be one.`);
    return stored;
  }
  const { rows } = await statements.query<{ used: boolean }>(
    'SELECT EXISTS (SELECT FROM identity."user") AS used',
  );
  if (rows[0]?.used)
    throw new StartError(
      `The database has users, but the identity secret ${path} is gone. Restore the file from a backup or set BETTER_AUTH_SECRET to its content.`,
    );
  return createSecretFile(path, randomBytes(48).toString('base64url'));
}

async function checkOpensKeys(statements: Statements, secret: string): Promise<void> {
  const { rows } = await statements.query<{ private_key: string }>(
    'SELECT private_key FROM identity.jwks ORDER BY created_at DESC LIMIT 1',
  );
  const newest = rows[0];
  if (!newest) return;
  try {
    await symmetricDecrypt({ key: secret, data: JSON.parse(newest.private_key) });
  } catch {
    throw new StartError(
      'This database was used with another identity secret. Restore BETTER_AUTH_SECRET or the file secrets/identity-secret.',
    );
  }
}
