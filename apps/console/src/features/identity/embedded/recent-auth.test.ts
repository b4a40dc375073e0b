import { expect, test } from 'vitest';
import { closeQuestion, confirmRecentAuth, question } from './recent-auth.ts';

test('concurrent calls ask once, and get the same answer', async () => {
  const waiting = [confirmRecentAuth(), confirmRecentAuth(), confirmRecentAuth()];
  expect(question.get()).not.toBeNull();
  closeQuestion(true);
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
  expect(question.get()).toBeNull();
  const next = confirmRecentAuth();
  closeQuestion(false);
  expect(await next).toBe(false);
  closeQuestion(true);
});
