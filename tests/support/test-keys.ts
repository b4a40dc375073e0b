import { createKeyring } from '../../apps/server/src/platform/crypto/keyring.ts';

/** Separate processes read this key: with another one none would start. */
export const AUDIT_KEY_TEXT = 'an audit key of the tests, 32 characters';
export const AUDIT_KEY = Buffer.from(AUDIT_KEY_TEXT);
export const KEYRING = createKeyring('test-master-key-0123456789-0123456789', [], 'test-index-key');
