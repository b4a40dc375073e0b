import { expect, test } from 'vitest';
import { closeQuestion, confirmPresence, question } from './presence.ts';

test('concurrent calls ask once, and get the same answer', async () => {
  const waiting = [confirmPresence(), confirmPresence(), confirmPresence()];
  expect(question.get()).not.toBeNull();
  closeQuestion(true);
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
  expect(question.get()).toBeNull();
  const next = confirmPresence();
  closeQuestion(false);
  expect(await next).toBe(false);
  closeQuestion(true);
});
