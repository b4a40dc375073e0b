import { createHmac, timingSafeEqual } from 'node:crypto';
import type { VerifySignature } from './webhook-gate.ts';

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/**
 * Verifies `t=<seconds>,v1=<hex>`: HMAC SHA-256 of `<seconds>.<body>`, as Stripe signs
 * (https://docs.stripe.com/webhooks#verify-manually). While a secret is replaced, both secrets are valid and a request
 * may have a signature of each.
 * @param header in lower case
 */
export function createTimestampedHmac({
  header,
  secrets,
}: {
  header: string;
  secrets: readonly [string, ...string[]];
}): VerifySignature {
  return ({ headers, body }) => {
    const value = headers[header];
    if (typeof value !== 'string') return null;
    const parts = value.split(',').map((part) => part.trim().split('=') as [string, string?]);
    const [time, ...others] = parts.filter(([name]) => name === 't').map(([, text]) => text ?? '');
    if (time === undefined || others.length > 0 || !/^\d{1,12}$/.test(time)) return null;
    const given = parts.filter(([name]) => name === 'v1').map(([, text]) => text ?? '');
    const expected = secrets.map((secret) => hmacOf(secret, time, body));
    const isGenuine = given.some((signature) => expected.some((wanted) => isSame(signature, wanted)));
    return isGenuine ? { signedAt: new Date(Number(time) * 1000) } : null;
  };
}

/** The signature that `createTimestampedHmac` verifies, for requests of our own. @param body as it is sent */
export function signTimestampedHmac({
  secret,
  at,
  body,
}: {
  secret: string;
  at: Date;
  body: string;
}): string {
  const time = String(Math.floor(at.getTime() / 1000));
  return `t=${time},v1=${hmacOf(secret, time, body).toString('hex')}`;
}

const hmacOf = (secret: string, time: string, body: string | Buffer): Buffer =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest();

function isSame(signature: string, wanted: Buffer): boolean {
  return HEX_SHA256.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), wanted);
}
