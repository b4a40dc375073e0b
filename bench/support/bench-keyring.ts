import { createKeyring } from '../../apps/server/src/platform/crypto/keyring.ts';

/** Seals the credentials of the demo accounts in the databases of the benchmarks. */
export const BENCH_KEYRING = createKeyring('a master key of the benchmarks, 32+ long', [], 'an index key');
