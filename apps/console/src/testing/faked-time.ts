import { expect, onTestFinished, vi } from 'vitest';

/** Further than waiting for what shows moves the faked time beyond it: it does so in steps. */
const STEP_MS = 500;

/** Fakes timers and dates until the test ends. */
export function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** How long something lasted in faked time, which moves while a test waits for what shows. */
export function expectAbout(lastedMs: number, ms: number): void {
  expect(lastedMs).toBeGreaterThanOrEqual(ms);
  expect(lastedMs).toBeLessThan(ms + STEP_MS);
}

/** What is copied until the test ends: the clipboard of the machine stays as it is. */
export function spyClipboard() {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => copied.mockRestore());
  return copied;
}

/**
 * Lets faked time pass in steps, between which promises, renders and pictures go on. `advanceTimersByTimeAsync` of two
 * windows at once was seen not to end.
 */
export async function pass(ms: number): Promise<void> {
  const step = Math.max(50, Math.ceil(ms / 60));
  for (let left = ms; left > 0; left -= step) {
    vi.advanceTimersByTime(Math.min(step, left));
    await new Promise(requestAnimationFrame);
  }
}
