import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { telegramSettings } from './demo-telegram.ts';

const SOMEBODYS = { TELEGRAM_BOT_TOKEN: '999999:token-of-a-real-bot' };

test('the demo world never uses a bot from the environment', async () => {
  const simulated = readConfig({ ...SOMEBODYS, ...(await telegramSettings(true)) }).telegram;
  expect(simulated.apiUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(simulated.token).toMatch(/^1000001:/);
  expect(readConfig({ ...SOMEBODYS, ...(await telegramSettings(false)) }).telegram.token).toBeUndefined();
});

test("workers divide a bot's rate, and the error about an invalid token does not show it", () => {
  const perSecond = (workers: string) => readConfig({ WORKER_PROCESSES: workers }).telegram.perSecond;
  expect([perSecond('1'), perSecond('2'), perSecond('100')]).toEqual([25, 12, 1]);
  const wrong = () => readConfig({ TELEGRAM_BOT_TOKEN: 'my secret' });
  expect(wrong).toThrow('TELEGRAM_BOT_TOKEN');
  expect(wrong).not.toThrow('my secret');
});
