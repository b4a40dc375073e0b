import { createStore } from '../../../lib/store.ts';

interface Question {
  settle(isConfirmed: boolean): void;
  answer: Promise<boolean>;
}

/** The question that is open, if any. However many calls want it answered, there is one. */
export const question = createStore<Question | null>(null);

/** Asks the person to confirm who it is. Callers that come while the question is open wait for the same answer. */
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
