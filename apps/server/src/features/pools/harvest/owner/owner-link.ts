import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../../../platform/secrets/keyring.ts';

/** Links by which the owner of a pool reports a withdrawal, one for each cycle. */
export interface OwnerLinks {
  urlOf(cycleId: string): string;
  /** @returns the cycle that the token was made for; null: it was not made here */
  read(token: string): string | null;
}

const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;

/**
 * The token is in the fragment, which browsers do not send: no log of a proxy has it. It does not expire by time: it is
 * of use only while its cycle waits for the owner.
 * @param origin of the console
 */
export function createOwnerLinks(keyring: Keyring, origin: string): OwnerLinks {
  const sign = (id: Buffer) => keyring.sign('pool owner', id).subarray(0, SIGNATURE_BYTES);
  return {
    urlOf(cycleId) {
      const id = Buffer.from(cycleId.replaceAll('-', ''), 'hex');
      return `${origin}/pool-owner#${Buffer.concat([id, sign(id)]).toString('base64url')}`;
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
