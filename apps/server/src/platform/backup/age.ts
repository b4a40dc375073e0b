import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { StartError } from '../process/start-error.ts';

// Files of age (https://age-encryption.org/v1): any program that knows the format opens a backup without this one.

/** One key pair: the holder of the identity reads what is encrypted to the recipient. */
export interface AgeKeyPair {
  /** Private: `AGE-SECRET-KEY-1...`. */
  identity: string;
  /** Public: `age1...`. */
  recipient: string;
}

/** X25519, which every release of age reads. */
export async function createAgeKeyPair(): Promise<AgeKeyPair> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** @throws StartError when one of them is not a valid recipient; its checksum detects a mistyped letter */
export function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new StartError(
        `BACKUP_AGE_RECIPIENTS: ${recipient} is no recipient of age. Compare it with the output of bin/copydesk keys --backup.`,
      );
    }
  }
  return encrypter;
}

/** The stream, encrypted. It holds a few chunks of 64 KiB, whatever its length. */
export async function encrypted(plain: AsyncIterable<Uint8Array>, encrypter: Encrypter): Promise<Readable> {
  return fromWeb(await encrypter.encrypt(toWeb(plain)));
}

/**
 * The identities of a file as age-keygen writes it: one a line, beside comments.
 * @throws StartError when it has none, without repeating any of it
 */
export async function readIdentities(file: string): Promise<AgeKeyPair[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const pairs = await Promise.all(
    identities.map(async (identity) => ({ identity, recipient: await identityToRecipient(identity) })),
  ).catch(() => []);
  if (pairs.length === 0)
    throw new StartError(
      `${file} is no identity of age: it needs a line AGE-SECRET-KEY-1..., as keys --backup writes.`,
    );
  return pairs;
}

/**
 * The stream, decrypted. Every chunk is authentic before it comes out, and a stream that ends too early fails.
 * @throws Error when none of the identities opens it
 */
export async function decrypted(
  stored: AsyncIterable<Uint8Array>,
  identities: readonly AgeKeyPair[],
): Promise<Readable> {
  const decrypter = new Decrypter();
  for (const { identity } of identities) decrypter.addIdentity(identity);
  return fromWeb(await decrypter.decrypt(toWeb(stored)));
}

/** The types of the two differ, the streams do not. */
const toWeb = (source: AsyncIterable<Uint8Array>) =>
  Readable.toWeb(Readable.from(source, { objectMode: false })) as unknown as ReadableStream<Uint8Array>;
const fromWeb = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as unknown as NodeWebStream);
