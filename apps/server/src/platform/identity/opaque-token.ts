import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as 43 characters. Guessing is hopeless, so a plain hash suffices for storage. */
export function createOpaqueToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of an opaque token. */
export function hashOpaqueToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
