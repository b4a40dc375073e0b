import { createHash } from 'node:crypto';
import type { Entry } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Actor } from '../audit/audit.ts';
import { canonicalJson } from '../crypto/canonical-json.ts';
import type { Database, WriteTx } from '../db/database.ts';
import { retryConflicts } from '../db/retry-conflicts.ts';
import { inSavepoint } from '../db/savepoint.ts';
import { ApiError } from './api-error.ts';
import { envelope } from './error-answer.ts';
import { findKept, keepCall, takeCall } from './idempotent-calls.store.ts';
import { isJsonText, type JsonText } from './json-text.ts';

const HEADER = 'idempotency-key';
const KEPT_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

export const idempotencyHeaders = z.looseObject({
  [HEADER]: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .meta({ description: 'Repeat the request with the same key and it is done once.' }),
});

/** An answer as it goes out, the first time and every other. Only `once` makes one. */
export interface StoredAnswer<T> {
  status: number;
  body: string;
  isReplay: boolean;
  readonly shape?: T;
}

/** Runs the work of a call in one transaction, together with the note that it was done and what was answered. */
export type Once<T> = (work: (tx: WriteTx) => Promise<T | JsonText<T>>) => Promise<StoredAnswer<T>>;

interface Caller {
  /** The contract's key of the call. */
  route: string;
  entry: Entry;
  request: FastifyRequest;
  scope: Scope;
  actor: Actor;
}

/** Gives a request its `once`. */
export type Idempotency = (call: Caller) => Once<unknown>;

/**
 * Calls that carry an `Idempotency-Key` are done once by caller, route and key. The note is written in the
 * transaction of the effect, so a crash leaves both or neither, and nothing that would have to expire. While that
 * transaction runs the same call answers 409, and with it ends the lock that says so. A refusal (4xx) is kept too, its
 * effect undone; what failed on our side is not, and may be tried again. A transaction that the database gives up for
 * another one's sake is run again: the work does nothing outside of it.
 */
export function createIdempotency({ db, now }: { db: Database; now: () => Date }): Idempotency {
  return ({ route, entry, request, scope, actor }) => {
    const key = request.headers[HEADER] as string | undefined;
    if (key === undefined)
      return (work) =>
        retryConflicts(() =>
          db.write(scope, actor, async (tx) => ({ ...answered(entry, await work(tx)), isReplay: false })),
        );

    const call = { caller: `${actor.kind}:${actor.id}`, route, key };
    // The scope is part of what was asked: who may see less by now is not shown an answer from before.
    const { params, query, body } = request;
    const requestHash = createHash('sha256').update(canonicalJson({ params, query, body, scope })).digest();
    return (work) =>
      retryConflicts(() =>
        db.write(scope, actor, async (tx) => {
          if (!(await takeCall(tx, call))) throw new ApiError('idempotency_in_flight');
          const kept = await findKept(tx, call, now());
          if (kept && !kept.requestHash.equals(requestHash)) throw new ApiError('idempotency_key_reused');
          if (kept) return { status: kept.status, body: kept.body, isReplay: true };
          const answer = await attempt(tx, entry, work);
          const expiresAt = new Date(now().getTime() + KEPT_DAYS * DAY_MS);
          await keepCall(tx, call, { requestHash, ...answer }, expiresAt);
          return { ...answer, isReplay: false };
        }),
      );
  };
}

/** Does the work; a refusal undoes it and becomes the answer, within the transaction that goes on. */
async function attempt(tx: WriteTx, entry: Entry, work: (tx: WriteTx) => Promise<unknown>) {
  try {
    return await inSavepoint(tx, async (attempted) => answered(entry, await work(attempted)));
  } catch (error) {
    const isFinal = error instanceof ApiError && error.status < 500 && error.code !== 'rate_limited';
    if (!isFinal) throw error;
    return { status: error.status, body: JSON.stringify(envelope(error)) };
  }
}

/** The answer in the text that is kept and sent, held against its schema before anything is committed. */
function answered({ answer, status = 200 }: Entry, given: unknown): { status: number; body: string } {
  if (isJsonText(given)) return { status, body: given.json.join('') };
  if ('stream' in answer) throw new Error('a stream cannot be kept');
  return { status, body: JSON.stringify(z.encode(answer, given)) };
}
