import { afterWindow, firstWindow, type TimeRange } from '../../paging/windows.ts';

/** A span of time in windows that one request may cover, oldest first. */
export function windowsOf(span: TimeRange, windowMs: number): TimeRange[] {
  const windows: TimeRange[] = [];
  let rest = span;
  for (let window = firstWindow(rest, windowMs); window; window = firstWindow(rest, windowMs)) {
    windows.push(window);
    rest = afterWindow(rest, window);
  }
  return windows;
}

/** Each row once: Bybit counts some ranges in whole seconds, so that windows overlap. */
export function distinctById<T extends { id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
