import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** State that a start needs from the one before; stored outside the cluster, readable by its owner only. */
export interface Secrets {
  /** 0 before the first start. */
  port: number;
  password: string;
}

/** Reads the folder's secrets; `isNew` means that this call generated them (first start, or the file was lost). */
export function loadSecrets(dataDir: string): { secrets: Secrets; isNew: boolean } {
  const stored = readSecrets(dataDir);
  if (stored) return { secrets: stored, isNew: false };
  const secrets = { port: 0, password: randomBytes(24).toString('base64url') };
  saveSecrets(dataDir, secrets);
  return { secrets, isNew: true };
}

/** Reads the folder's secrets; null when there are none, or the file is damaged. */
export function readSecrets(dataDir: string): Secrets | null {
  const path = secretsPath(dataDir);
  return existsSync(path) ? parse(readFileSync(path, 'utf8')) : null;
}

/** The connection of the owner of the schema. */
export const ownerUrlOf = ({ port, password }: Secrets) =>
  `postgres://copydesk:${password}@127.0.0.1:${port}/copydesk`;

/** Replaces the file in one step, so that a crash leaves the old or the new one. */
export function saveSecrets(dataDir: string, secrets: Secrets): void {
  const path = secretsPath(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(secrets)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function secretsPath(dataDir: string): string {
  return join(dataDir, 'postgres-access.json');
}

function parse(text: string): Secrets | null {
  try {
    const { port, password } = JSON.parse(text);
    return Number.isInteger(port) && typeof password === 'string' && password !== ''
      ? { port, password }
      : null;
  } catch {
    return null;
  }
}
