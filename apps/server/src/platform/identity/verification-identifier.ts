import { createHash } from 'node:crypto';

/** Under what the library keeps a one-time secret that it is told to hash: SHA-256 of its name and the secret. */
export function verificationIdentifier(name: string, secret: string): string {
  return createHash('sha256').update(`${name}:${secret}`).digest('base64url');
}
