import { createHash } from 'node:crypto';
import type { VenueRequest } from '../venues/venue.ts';
import { type ApiAnswer, refuse } from './api-answer.ts';

/** What every call of the API passes: the key, and the record of answers by `Idempotency-Key`. */
export interface ApiGate {
  answer(request: VenueRequest, work: () => ApiAnswer): ApiAnswer;
}

/** Answers are repeated for a day. */
const KEPT_MS = 86_400_000;

export function createApiGate({ secretKey, now }: { secretKey: string; now: () => number }): ApiGate {
  const kept = new Map<string, { contents: string; answer: ApiAnswer; at: number }>();
  return {
    answer({ method, path, body, headers }, work) {
      const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
      if (given !== secretKey)
        return refuse(401, {
          type: 'invalid_request_error',
          message: `Invalid API Key provided: ${(given ?? '').slice(0, 8)}****`,
        });
      const key = headers['idempotency-key'];
      if (method !== 'POST' || !key) return work();
      const contents = createHash('sha256').update(`${path}\n${body}`).digest('hex');
      const earlier = kept.get(key);
      if (earlier && now() - earlier.at < KEPT_MS) {
        if (earlier.contents === contents) return earlier.answer;
        return refuse(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters.',
        });
      }
      const answer = work();
      // A refused request has done nothing, so the same key may be used again.
      if (answer.status < 400) kept.set(key, { contents, answer, at: now() });
      return answer;
    },
  };
}
