import { createKeyring } from '../../apps/server/src/platform/crypto/keyring.ts';

/** Separate processes read this key: with another one none would start. */
export const AUDIT_KEY_TEXT = 'an audit key of the tests, 32 characters';
export const AUDIT_KEY = Buffer.from(AUDIT_KEY_TEXT);
const MASTER_KEY = 'test-master-key-0123456789-0123456789';
const NEXT_MASTER_KEY = 'next-master-key-0123456789-0123456789';
const INDEX_KEY = 'test-index-key';
export const KEYRING = createKeyring(MASTER_KEY, [], INDEX_KEY);
/** The keyrings of a rotation to another master key, and back. */
export const ROTATED = {
  there: createKeyring(NEXT_MASTER_KEY, [MASTER_KEY], INDEX_KEY),
  back: createKeyring(MASTER_KEY, [NEXT_MASTER_KEY], INDEX_KEY),
};
