import { expect, test } from 'vitest';
import { closeQuestion, confirmPresence, question } from './presence.ts';

test('calls that want it at the same time ask once, and hear the same answer', async () => {
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
