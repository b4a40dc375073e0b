import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface TokenSigner {
  /** PEM of the key that verifies. */
  publicKey: string;
  /** A signed token. @param header replaces parts of the usual one */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): string;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** RS256 with a key of this start. */
export function createTokenSigner(): TokenSigner {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync(
    'rsa',
    {
      modulusLength: 2048,
    },
  );
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign(claims, header = {}) {
      const text = `${encode({ alg: 'RS256', kid: 'ins_simulated', typ: 'JWT', ...header })}.${encode(claims)}`;
      return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
    },
  };
}
