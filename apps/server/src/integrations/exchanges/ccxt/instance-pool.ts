import { LRUCache } from 'lru-cache';
import type { CcxtInstance } from './load-ccxt.ts';

/** An instance takes 60 to 140 KB and 2 to 7 ms to create; people come back to the same accounts. */
const INSTANCES_PER_VENUE = 100;
/** An instance holds its account's secrets: it is dropped soon after its last use. */
const TTL_MS = 10 * 60_000;

export interface InstancePool {
  get(key: string, create: () => Promise<CcxtInstance>): Promise<CcxtInstance>;
  forget(isForgotten: (key: string) => boolean): void;
  size(): number;
}

/** The most recently used instances of one venue, each under a key of account and credentials. */
export function createInstancePool(max = INSTANCES_PER_VENUE): InstancePool {
  const instances = new LRUCache<string, Promise<CcxtInstance>>({
    max,
    ttl: TTL_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });
  return {
    get(key, create) {
      const known = instances.get(key);
      if (known) return known;
      const made = create();
      instances.set(key, made);
      made.catch(() => {
        if (instances.peek(key) === made) instances.delete(key);
      });
      return made;
    },
    forget(isForgotten) {
      for (const key of [...instances.keys()]) if (isForgotten(key)) instances.delete(key);
    },
    size: () => instances.size,
  };
}
