import { RECENT_AUTHENTICATION_MINUTES } from '@copydesk/domain/access';
import { createStore } from '../../../lib/store.ts';
import { claimsOf } from '../token-claims.ts';

/** What the service's dialog checks: the strongest factor of the account. */
export type Level = 'first_factor' | 'second_factor';

/** The open question for another proof, if any. */
export const asking = createStore<{ level: Level; complete(): void; cancel(): void } | null>(null);

/** Whether a token says that its person has just given this factor. */
export function isJustProven(token: string | null, level: Level): boolean {
  const [first, second] = claimsOf(token ?? '').fva ?? [-1, -1];
  const minutes = level === 'second_factor' ? second : first;
  return minutes >= 0 && minutes < RECENT_AUTHENTICATION_MINUTES;
}

/** Has the service's dialog ask (https://clerk.com/docs/guides/secure/reverification). */
export const reverificationHint = (level: Level) => ({
  clerk_error: {
    type: 'forbidden' as const,
    reason: 'reverification-error' as const,
    metadata: { reverification: { level, afterMinutes: RECENT_AUTHENTICATION_MINUTES } },
  },
});
