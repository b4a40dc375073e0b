import { join } from 'node:path';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { SealError } from './sealed-secret.ts';
import { createSecretFile, readSecretFile } from './secret-file.ts';

/** Seals secrets that only workers open: it has their public key, and nothing else. */
export interface SealingBox {
  /** The public key, as `age1...`. It is stored beside what was sealed to it. */
  readonly recipient: string;
  /** @param place names table, row and field: the same bytes elsewhere do not open */
  seal(value: string, place: string): Promise<Buffer>;
}

/** Opens what was sealed to any of its keys, and seals to the first. */
export interface OpeningBox extends SealingBox {
  /** The public keys that it opens for. */
  readonly recipients: readonly string[];
  /** @throws SealError when the bytes were changed, sealed for another place, or to another key */
  open(sealed: Uint8Array, place: string): Promise<string>;
}

/** @throws Error when it is no public key of age */
export function createSealingBox(recipient: string): SealingBox {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return {
    recipient,
    // age has no associated data, so the place is sealed with the value and compared when it is opened.
    seal: async (value, place) => Buffer.from(await encrypter.encrypt(JSON.stringify([place, value]))),
  };
}

/** @param identities secret keys, as `AGE-SECRET-KEY-1...`; the first is the current one */
export async function createOpeningBox(identities: readonly [string, ...string[]]): Promise<OpeningBox> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  const recipients = await Promise.all(identities.map((identity) => identityToRecipient(identity)));
  return {
    ...createSealingBox(recipients[0] as string),
    recipients,
    async open(sealed, place) {
      const parts = await decrypter.decrypt(sealed, 'text').then(JSON.parse, () => null);
      if (!Array.isArray(parts) || parts[0] !== place || typeof parts[1] !== 'string') throw new SealError();
      return parts[1];
    },
  };
}

/** The public key of a secret one; null: it is none. */
export const recipientOf = (identity: string): Promise<string | null> =>
  identityToRecipient(identity).catch(() => null);

/** A new pair of keys for `createOpeningBox` and `createSealingBox`. */
export async function createBoxKeys(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The files that `npm start` makes; installations with units have variables. */
const identityFile = (dataDir: string) => join(dataDir, 'secrets', 'pool-keys-identity');
const recipientFile = (dataDir: string) => join(dataDir, 'secrets', 'pool-keys-recipient');

/** Makes the keys in the data folder, where there are none. For `npm start`, before its programs. */
export async function createBoxFiles(dataDir: string): Promise<void> {
  const identity =
    (await readSecretFile(identityFile(dataDir))) ??
    (await createSecretFile(identityFile(dataDir), (await createBoxKeys()).identity));
  if ((await readSecretFile(recipientFile(dataDir))) === null)
    await createSecretFile(recipientFile(dataDir), await identityToRecipient(identity));
}

interface BoxSettings<T> {
  /** From the configuration; else a file in the data folder. */
  configured: T | undefined;
  dataDir: string | undefined;
}

/** Null: no recipient is configured. */
export async function loadSealingBox({
  configured,
  dataDir,
}: BoxSettings<string>): Promise<SealingBox | null> {
  const recipient =
    configured ?? (dataDir === undefined ? null : await readSecretFile(recipientFile(dataDir)));
  return recipient === null ? null : createSealingBox(recipient);
}

/** Null: this worker has no identity to open secrets with. */
export async function loadOpeningBox({
  configured,
  dataDir,
}: BoxSettings<readonly [string, ...string[]]>): Promise<OpeningBox | null> {
  if (configured) return createOpeningBox(configured);
  const identity = dataDir === undefined ? null : await readSecretFile(identityFile(dataDir));
  return identity === null ? null : createOpeningBox([identity]);
}
