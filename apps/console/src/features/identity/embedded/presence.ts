import { createStore } from '../../../lib/store.ts';

interface Question {
  settle(isConfirmed: boolean): void;
  answer: Promise<boolean>;
}

/** The open question, if any. There is at most one, however many calls wait for it. */
export const question = createStore<Question | null>(null);

/** Asks the person to authenticate again. Further callers wait for the same answer while the question is open. */
export function confirmPresence(): Promise<boolean> {
  const open = question.get();
  if (open) return open.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  question.set({ settle: resolve, answer: promise });
  return promise;
}

export function closeQuestion(isConfirmed: boolean): void {
  const open = question.get();
  question.set(null);
  open?.settle(isConfirmed);
}
