import { createPoolKeyOpener } from '../../apps/server/src/features/pools/keys/pool-key-opener.ts';
import { createKeyring } from '../../apps/server/src/platform/secrets/keyring.ts';
import { createOpeningBox } from '../../apps/server/src/platform/secrets/worker-box.ts';

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
/** Of workers; the second was theirs before. */
export const POOL_KEY_IDENTITIES = [
  'AGE-SECRET-KEY-17QQQ2VTN0T46TYWZLXW38TCLP34PFYK7JF0SG9MZ6L8FH72WK2FSRQP2WF',
  'AGE-SECRET-KEY-1UDMTZHWPFULR6SYWLP6SHKYTKJYX2F9L628XH848REUGY3GW6MWSU7R3AM',
] as const;
/** What workers of tests open keys of pools with; the API's half of it only seals. */
export const BOX = await createOpeningBox([POOL_KEY_IDENTITIES[0]]);
export const POOL_KEYS = createPoolKeyOpener(KEYRING, BOX);
