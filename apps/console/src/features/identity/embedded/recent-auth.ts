import { ApiError, notConfirmed } from '../../../lib/api/api-error.ts';
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

/**
 * Repeats a call of the identity library once, after the person has authenticated again, where the server wants that.
 * The client of our API does the same for calls of ours.
 */
export async function withRecentAuth<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'REAUTHENTICATION_REQUIRED') throw error;
    if (!(await confirmRecentAuth())) throw notConfirmed();
    return work();
  }
}
