import { createHash } from 'node:crypto';

/** The identifier of a one-time secret that the library stores hashed: SHA-256 of its name and the secret. */
export function verificationIdentifier(name: string, secret: string): string {
  return createHash('sha256').update(`${name}:${secret}`).digest('base64url');
}
