import { messageOf } from '../../../../lib/api-error.ts';
import type { IpWhitelist } from './ip-whitelist-query.ts';

export type WhitelistState =
  | { kind: 'loading' }
  | { kind: 'failed'; reason: string }
  /** The exchange has no such list, does not tell whether it has, or keeps the addresses of it to itself. */
  | { kind: 'unavailable' }
  | { kind: 'unrestricted' }
  | { kind: 'list'; ips: readonly string[] };

interface Read {
  isPending: boolean;
  error: unknown;
  /** What the answer has of this account. */
  entry: IpWhitelist | undefined;
}

/** What the IP Whitelist block of an account shows (console spec, Exchange Keys). */
export function whitelistState({ isPending, error, entry }: Read): WhitelistState {
  if (isPending) return { kind: 'loading' };
  if (!entry) return error ? { kind: 'failed', reason: messageOf(error) } : { kind: 'unavailable' };
  if (!entry.isSupported || entry.error?.code === 'unsupported') return { kind: 'unavailable' };
  if (entry.error) return { kind: 'failed', reason: entry.error.message };
  const ips = entry.ips ?? [];
  const isEverything = ips.length === 1 && ips[0] === '*';
  if (entry.isRestricted === false || isEverything) return { kind: 'unrestricted' };
  return ips.length > 0 ? { kind: 'list', ips } : { kind: 'unavailable' };
}
