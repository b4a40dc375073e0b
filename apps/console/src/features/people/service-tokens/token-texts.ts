import type { ServiceScope } from '@copydesk/domain/access';
import type { Tone } from '../../../ui/feedback/badge.tsx';
import type { ServiceToken } from './token-queries.ts';

/** What a scope allows, in words. */
export const SCOPE_TEXTS: Record<ServiceScope, string> = {
  'traders:read': 'Read traders, balances and positions',
  'traders:write': 'Add and change traders',
  'directory:read': 'Read communities and providers',
  'invoices:read': 'Read invoices',
  pool_requests: 'Make requests for members of pools',
};

const WARNED_MS = 7 * 86_400_000;

/** Whether a token works, and for how long. */
export function stateOf(
  { revoked_at, expires_at }: Pick<ServiceToken, 'revoked_at' | 'expires_at'>,
  now: Date,
): { label: string; tone: Tone } {
  if (revoked_at !== null) return { label: 'Revoked', tone: 'negative' };
  const left = Date.parse(expires_at) - now.getTime();
  if (left <= 0) return { label: 'Expired', tone: 'negative' };
  return left < WARNED_MS ? { label: 'Expires soon', tone: 'caution' } : { label: 'Valid', tone: 'positive' };
}
