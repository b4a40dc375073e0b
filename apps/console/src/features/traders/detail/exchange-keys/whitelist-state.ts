import { messageOf } from '../../../../lib/api/api-error.ts';
import type { IpWhitelist } from './ip-whitelist-query.ts';

export type WhitelistState =
  | { kind: 'loading' }
  | { kind: 'failed'; reason: string }
  /** The exchange has no such list, does not report whether it has one, or does not reveal its addresses. */
  | { kind: 'unavailable' }
  | { kind: 'unrestricted' }
  | { kind: 'list'; ips: readonly string[] };

interface Read {
  isPending: boolean;
  error: unknown;
  /** The answer's entry for this account. */
  entry: IpWhitelist | undefined;
}

/** The state of an account's IP Whitelist block (console spec, Exchange Keys). */
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
