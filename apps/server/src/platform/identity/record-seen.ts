import type { Statements } from '../db/statements.ts';

/** A write for every request would be its most expensive part. */
const SEEN_WITHIN_MS = 300_000;

/** Notes that a person calls, at most every five minutes. @param seenAt as it is stored */
export async function recordSeen(
  statements: Statements,
  userId: string,
  seenAt: Date | null,
  at: Date,
): Promise<void> {
  if (seenAt && at.getTime() - seenAt.getTime() < SEEN_WITHIN_MS) return;
  await statements.query({
    name: 'identity-seen',
    text: `INSERT INTO identity.user_seen (user_id, seen_at) VALUES ($1, $2)
           ON CONFLICT (user_id) DO UPDATE SET seen_at = greatest(user_seen.seen_at, excluded.seen_at)`,
    values: [userId, at],
  });
}
