import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLastInput } from './last-input.ts';

const stored = new Map<string, string>();
let now = 1_000_000;
beforeEach(() =>
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  }),
);
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

test('keys, clicks and touches of every tab count, and the load of a page does not', () => {
  const page = new EventTarget();
  const first = createLastInput(() => now);
  first.follow(page);
  now += 60_000;
  expect(first.ageMs()).toBe(60_000);
  for (const event of ['keydown', 'pointerdown', 'touchstart']) {
    now += 10_000;
    page.dispatchEvent(new Event(event));
    expect(first.ageMs()).toBe(0);
  }
  page.dispatchEvent(new Event('mousemove'));
  now += 30_000;
  const second = createLastInput(() => now);
  expect(second.ageMs()).toBe(30_000);
  second.note();
  expect(first.ageMs()).toBe(0);
});
