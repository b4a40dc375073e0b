import { EXCHANGES } from '@copydesk/domain/catalogue';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { backgroundSettings, interactiveSettings } from './exchange-settings.ts';

/** The console gives up on a request after this long. */
const CONSOLE_GIVES_UP_MS = 10_000;

test('a read of the API is over before the console gives up on it; the workers have a time of their own', () => {
  const config = readConfig({});
  for (const exchange of EXCHANGES) {
    const { timeoutMs, deadlineMs = Number.POSITIVE_INFINITY } = interactiveSettings(config)[exchange];
    expect([timeoutMs, deadlineMs]).toEqual([7_000, 7_000]);
    expect(deadlineMs).toBeLessThan(CONSOLE_GIVES_UP_MS);
    const background = backgroundSettings(config)[exchange];
    expect([background.timeoutMs, background.deadlineMs]).toEqual([10_000, undefined]);
  }
});

test('each has its own variable', () => {
  const config = readConfig({ EXCHANGE_TIMEOUT_MS: '500', EXCHANGE_WORKER_TIMEOUT_MS: '600' });
  expect(interactiveSettings(config).okx).toMatchObject({ timeoutMs: 500, deadlineMs: 500 });
  expect(backgroundSettings(config).okx.timeoutMs).toBe(600);
});
