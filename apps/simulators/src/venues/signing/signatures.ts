import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 of a text. */
export function sign(secret: string, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', secret).update(text).digest(encoding);
}

/** Compares two texts in constant time. */
export function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
