import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from '../process/start-error.ts';
import type { MasterKey } from './sealed-secret.ts';
import { createSecretFile, readSecretFile } from './secret-file.ts';

/** The keys that encrypt the stored secrets of exchange accounts. */
export interface Keyring {
  /** Wraps all secrets stored from now on. */
  readonly current: MasterKey;
  /** Every key that may still be needed, the current one first. */
  find(masterKeyId: string): MasterKey | null;
  /** Keyed hash of a secret; finds it again without storing or opening it. */
  fingerprint(value: string): Buffer;
  /**
   * Signature of a value that we hand out and take back, such as a link; each purpose has a key of its own.
   */
  sign(purpose: string, value: Buffer): Buffer;
}

export interface KeyringSettings {
  /** From the configuration; else `<dataDir>/secrets/credentials-key`, generated on the first start. */
  key: string | undefined;
  /** Keys that stored secrets may still be wrapped with, or soon will be. */
  otherKeys: readonly string[];
  indexKey: string | undefined;
  dataDir: string | undefined;
}

export async function loadKeyring(settings: KeyringSettings): Promise<Keyring> {
  const { dataDir } = settings;
  const key = settings.key ?? (await keyFile(dataDir, 'credentials-key', 'CREDENTIALS_KEY'));
  const indexKey =
    settings.indexKey ?? (await keyFile(dataDir, 'credentials-index-key', 'CREDENTIALS_INDEX_KEY'));
  return createKeyring(key, settings.otherKeys, indexKey);
}

export function createKeyring(key: string, otherKeys: readonly string[], indexKey: string): Keyring {
  const keys = [key, ...otherKeys].map(masterKey);
  const byId = new Map(keys.map((master) => [master.id, master]));
  const index = createSecretKey(derive(indexKey, 'index'));
  return {
    current: keys[0] as MasterKey,
    find: (id) => byId.get(id) ?? null,
    sign: (purpose, value) =>
      createHmac('sha256', derive(indexKey, `signing ${purpose}`))
        .update(value)
        .digest(),
    fingerprint: (value) => createHmac('sha256', index).update(value).digest(),
  };
}

function masterKey(text: string): MasterKey {
  const key = derive(text, 'wrapping');
  const id = createHash('sha256').update('id').update(key).digest('hex').slice(0, 16);
  return { id, key: createSecretKey(key) };
}

const derive = (text: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', text, '', `copydesk credentials ${purpose}`, 32));

async function keyFile(dataDir: string | undefined, name: string, variable: string): Promise<string> {
  if (!dataDir) throw new StartError(`There is no ${variable}: set it (32 characters or more, random).`);
  const path = join(dataDir, 'secrets', name);
  return (await readSecretFile(path)) ?? createSecretFile(path, randomBytes(48).toString('base64url'));
}
