import { LRUCache } from 'lru-cache';
import { GatewayError, type ReadOptions } from '../gateway.ts';
import type { Lane } from '../limits/request-queue.ts';

/** A lasting refusal is repeated this long without a request to the venue. */
const REFUSAL_TTL_MS = 10_000;
const ANSWERS_KEPT = 5_000;
const LONGEST_TTL_MS = 10 * 60_000;

interface Kept {
  takenAt: number;
  result: { value: unknown } | { error: GatewayError };
}

interface Flight {
  promise: Promise<unknown>;
  lane: Lane;
  isForgotten: boolean;
}

interface Question {
  /** Names account, credentials, method and arguments. */
  key: string;
  options: ReadOptions;
  /** How long an answer may be used, in ms; 0: never twice. */
  ttlMs: number;
  /** Called when a background read that others wait for became urgent. */
  onUrgent: () => void;
}

export interface SharedAnswers {
  read<T>(question: Question, take: (lane: Lane) => Promise<T>): Promise<T>;
  forget(isForgotten: (key: string) => boolean): void;
}

/**
 * One read for all identical concurrent requests, and its answer for those soon after. A read that began before its
 * account was forgotten answers only the callers that already wait for it.
 */
export function createSharedAnswers(now: () => number): SharedAnswers {
  const kept = new LRUCache<string, Kept>({ max: ANSWERS_KEPT, ttl: LONGEST_TTL_MS });
  const flights = new Map<string, Flight>();

  function findKept({ key, options, ttlMs }: Question): Kept['result'] | null {
    const entry = kept.get(key);
    if (!entry) return null;
    const ageMs = now() - entry.takenAt;
    const isError = 'error' in entry.result;
    const maxAgeMs = isError ? REFUSAL_TTL_MS : Math.min(ttlMs, options.maxAgeMs ?? ttlMs);
    return ageMs < maxAgeMs ? entry.result : null;
  }

  function begin<T>({ key, options, ttlMs }: Question, take: (lane: Lane) => Promise<T>): Flight {
    const lane: Lane = { priority: options.priority };
    const flight: Flight = { lane, isForgotten: false, promise: take(lane) };
    const land = (result: Kept['result'] | null) => {
      if (flights.get(key) === flight) flights.delete(key);
      if (result && !flight.isForgotten) kept.set(key, { takenAt: now(), result });
    };
    flights.set(key, flight);
    flight.promise.then(
      (value) => land(ttlMs > 0 ? { value } : null),
      (error) => land(error instanceof GatewayError && !error.isRetryable ? { error } : null),
    );
    return flight;
  }

  return {
    read: async <T>(question: Question, take: (lane: Lane) => Promise<T>) => {
      const answer = findKept(question);
      if (answer && 'error' in answer) throw answer.error;
      if (answer) return answer.value as T;
      const flight = flights.get(question.key) ?? begin(question, take);
      if (question.options.priority === 'interactive' && flight.lane.priority === 'background') {
        flight.lane.priority = 'interactive';
        question.onUrgent();
      }
      return (await flight.promise) as T;
    },
    forget(isForgotten) {
      for (const key of [...kept.keys()]) if (isForgotten(key)) kept.delete(key);
      for (const [key, flight] of flights) {
        if (!isForgotten(key)) continue;
        flight.isForgotten = true;
        flights.delete(key);
      }
    },
  };
}
