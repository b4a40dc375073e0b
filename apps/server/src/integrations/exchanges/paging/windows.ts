export interface TimeRange {
  sinceMs: number;
  /** Included in the range. */
  untilMs: number;
}

/** The first window of at most `windowMs` in a range, both ends included; null when the range is used up. */
export function firstWindow(range: TimeRange, windowMs: number): TimeRange | null {
  if (range.sinceMs > range.untilMs) return null;
  return { sinceMs: range.sinceMs, untilMs: Math.min(range.untilMs, range.sinceMs + windowMs - 1) };
}

/** The rest of a range behind a window of it. */
export const afterWindow = (range: TimeRange, window: TimeRange): TimeRange => ({
  sinceMs: window.untilMs + 1,
  untilMs: range.untilMs,
});

/** The part of a range that the venue still has. */
export const rememberedPart = (range: TimeRange, coverageFrom: number): TimeRange => ({
  sinceMs: Math.max(range.sinceMs, coverageFrom),
  untilMs: range.untilMs,
});

export const DAY_MS = 86_400_000;
