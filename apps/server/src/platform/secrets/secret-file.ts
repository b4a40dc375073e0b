import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The content of a secret file, or null when there is none. */
export async function readSecretFile(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes a file that only its owner can read. */
export async function writeSecretFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(path, { force: true }); // an older file would keep its own mode
  await writeFile(path, `${content}\n`, { mode: 0o600, flag: 'wx' });
}

/**
 * Creates a secret file that is complete from the moment it has its name. When several processes start together, one
 * creates it and all return its content.
 */
export async function createSecretFile(path: string, content: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeSecretFile(draft, content);
  try {
    await link(draft, path);
    return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readSecretFile(path)) ?? content;
  } finally {
    await rm(draft, { force: true });
  }
}
