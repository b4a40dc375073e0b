/** How long a session lasts after it began, or after its person authenticated again. The default of SESSION_HOURS. */
export const SESSION_HOURS = 12;
/** How long it lasts after the last key, click or touch. */
export const SESSION_IDLE_MINUTES = 120;
/** How long before either the page says so. */
const SESSION_NOTICE_MINUTES = 10;

/**
 * When a session ends.
 * @param endsAt its latest end, whatever its person does
 * @param lastInputMs how long ago the page had its last input, as the page says. A page can only shorten its session by
 * it: without it, or with one in the future, the input counts as of now.
 */
export function sessionEnd(endsAt: Date, at: Date, lastInputMs = 0): Date {
  const idleEnd = at.getTime() - Math.max(0, lastInputMs) + SESSION_IDLE_MINUTES * 60_000;
  return new Date(Math.min(endsAt.getTime(), idleEnd));
}

export type SessionNotice = { why: 'idle' | 'over'; leftMs: number };

/**
 * What the page says about the end of its session; null: nothing yet.
 * @param idleMs since the last input
 * @param leftMs until the latest end
 */
export function sessionNotice(idleMs: number, leftMs: number): SessionNotice | null {
  const idleLeftMs = SESSION_IDLE_MINUTES * 60_000 - idleMs;
  const notice = {
    why: leftMs <= idleLeftMs ? 'over' : 'idle',
    leftMs: Math.min(leftMs, idleLeftMs),
  } as const;
  return notice.leftMs <= SESSION_NOTICE_MINUTES * 60_000 ? notice : null;
}
