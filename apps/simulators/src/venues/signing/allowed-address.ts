import type { WorldAccount } from '../../world/index.ts';

/** Whether a key may be used from an address: an empty list allows all. */
export function isAllowedFrom({ traits }: WorldAccount, ip: string): boolean {
  return traits.ipWhitelist.length === 0 || traits.ipWhitelist.includes(ip);
}
