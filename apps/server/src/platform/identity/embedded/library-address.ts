import { EMAIL_PATTERN, emailInAscii } from '@copydesk/domain/text';
import { z } from 'zod';

/** What the library takes for an address: fewer characters than mail has, and no domain like `xn--p1ai`. */
const LIBRARY_PATTERN = z.email();
/** An address in a form that it does take. No mail is ever sent to it: the domain is reserved (RFC 2606). */
const STAND_IN = /^u-((?:[0-9a-f]{2})+)@stand-in\.invalid$/;

/** The calls of the library in which people type an address. */
const TAKES_ADDRESS = new Set(['/sign-in/email', '/request-password-reset']);

/** The address that a person typed into a call of the library, in our one form; null: none. */
export function typedAddress(path: string, body: Record<string, unknown>): string | null {
  if (!TAKES_ADDRESS.has(path) || typeof body.email !== 'string') return null;
  return emailInAscii(withoutStandIn(body.email));
}

/**
 * The same address as the library takes it. A value that is no address stays as it is, for the library to
 * refuse.
 */
export function standInFor(address: string): string {
  if (LIBRARY_PATTERN.safeParse(address).success || !EMAIL_PATTERN.test(address)) return address;
  return `u-${Buffer.from(address).toString('hex')}@stand-in.invalid`;
}

/** A value on its way from the library to the database, with the address that a stand-in is for. */
export function withoutStandIn<T>(value: T): T | string {
  const hex = typeof value === 'string' ? STAND_IN.exec(value)?.[1] : undefined;
  return hex === undefined ? value : Buffer.from(hex, 'hex').toString();
}
