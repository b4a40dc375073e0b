import { createKeyring } from '../../apps/server/src/platform/secrets/keyring.ts';

/** Master key of the benchmark databases. */
export const BENCH_KEY = 'a master key of the benchmarks, 32+ long';

/** Seals the credentials of the demo accounts in the benchmark databases. */
export const BENCH_KEYRING = createKeyring(BENCH_KEY, [], 'an index key');
