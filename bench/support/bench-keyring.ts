import { createKeyring } from '../../apps/server/src/platform/crypto/keyring.ts';

/** Master key of the databases of the benchmarks. */
export const BENCH_KEY = 'a master key of the benchmarks, 32+ long';

/** Seals the credentials of the demo accounts in the databases of the benchmarks. */
export const BENCH_KEYRING = createKeyring(BENCH_KEY, [], 'an index key');
