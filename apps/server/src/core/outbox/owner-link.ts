import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../platform/secrets/keyring.ts';

/** Links by which an owner without an account says or does one thing. */
export interface OwnerLinks {
  urlOf(id: string): string;
  /** @returns the id that the token was made for; null: it was not made here, or for another page */
  read(token: string): string | null;
}

/** What the links lead to, and what their tokens are signed for. */
const PAGES = {
  /** Where the owner of a pool reports a withdrawal; ids are of cycles. */
  pool: { path: '/pool-owner', purpose: 'pool owner' },
  /** Where the owner of a community pays for its subscription; ids are of communities. */
  community: { path: '/community-owner', purpose: 'community owner' },
} as const;

const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;

/**
 * The token is in the fragment, which browsers do not send: no log of a proxy has it. It does not expire by time: it is
 * of use only while its cycle waits for the owner, or something is to be paid.
 * @param origin of the console
 */
export function createOwnerLinks(keyring: Keyring, origin: string, to: keyof typeof PAGES): OwnerLinks {
  const { path, purpose } = PAGES[to];
  const sign = (id: Buffer) => keyring.sign(purpose, id).subarray(0, SIGNATURE_BYTES);
  return {
    urlOf(id) {
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
      return `${origin}${path}#${Buffer.concat([bytes, sign(bytes)]).toString('base64url')}`;
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== ID_BYTES + SIGNATURE_BYTES) return null;
      const id = bytes.subarray(0, ID_BYTES);
      if (!timingSafeEqual(bytes.subarray(ID_BYTES), sign(id))) return null;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
