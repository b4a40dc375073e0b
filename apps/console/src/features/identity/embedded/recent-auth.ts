import { createStore } from '../../../lib/store.ts';

interface Question {
  settle(isConfirmed: boolean): void;
  answer: Promise<boolean>;
  /** Why it is asked, where that is not the call of the person. */
  why: string | null;
}

/** The open question, if any. There is at most one, however many calls wait for it. */
export const question = createStore<Question | null>(null);

/** Asks the person to authenticate again. Further callers wait for the same answer while the question is open. */
export function confirmRecentAuth(why: string | null = null): Promise<boolean> {
  const open = question.get();
  if (open) return open.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  question.set({ settle: resolve, answer: promise, why });
  return promise;
}

export function closeQuestion(isConfirmed: boolean): void {
  const open = question.get();
  question.set(null);
  open?.settle(isConfirmed);
}
