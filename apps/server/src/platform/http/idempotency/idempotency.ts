import { createHash } from 'node:crypto';
import type { Entry } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Actor } from '../../audit/audit.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import { retryConflicts } from '../../db/retry-conflicts.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import { Refusal } from '../../refusal.ts';
import { canonicalJson } from '../../secrets/canonical-json.ts';
import { isJsonText, type JsonText } from '../json-text.ts';
import { envelope, statusOfRefusal } from '../server/error-answer.ts';
import { findKept, keepCall, takeCall } from './idempotent-calls.store.ts';

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

/** An answer as sent, the first time and on every repeat. Only `once` creates one. */
export interface StoredAnswer<T> {
  status: number;
  body: string;
  isReplay: boolean;
  readonly shape?: T;
}

/**
 * Runs the work of a call in one transaction, together with the record of the call and its answer.
 * @param ask asks other services before that transaction, so that a slow answer holds no connection. It must be
 * repeatable: a crash after it, or a second request with the same key at the same moment, asks again
 */
export type Once<T> = <A = undefined>(
  work: (tx: WriteTx, asked: A) => Promise<T | JsonText<T>>,
  ask?: () => Promise<A>,
) => Promise<StoredAnswer<T>>;

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
 * Runs calls with an `Idempotency-Key` once by caller, route and key. The record is written in the transaction of the
 * effect: a crash leaves both or neither, and no lock that would need to expire. While that transaction runs the same
 * call answers 409; the lock behind that answer ends with the transaction. A refusal (4xx) is stored too, its effect
 * undone; a failure on our side is not stored, and may be retried. A transaction that the database rolled back because
 * of another one is retried: the work has no effect outside it.
 */
export function createIdempotency({ db, now }: { db: Database; now: () => Date }): Idempotency {
  return ({ route, entry, request, scope, actor }) => {
    const key = request.headers[HEADER] as string | undefined;
    if (key === undefined)
      return async (work, ask) => {
        const asked = (await ask?.()) as never;
        return retryConflicts(() =>
          db.write(scope, actor, async (tx) => ({
            ...answered(entry, await work(tx, asked)),
            isReplay: false,
          })),
        );
      };

    const call = { caller: `${actor.kind}:${actor.id}`, route, key };
    // The scope is part of the request's hash: a caller whose scope has shrunk since gets no earlier answer.
    const { params, query, body } = request;
    const requestHash = createHash('sha256').update(canonicalJson({ params, query, body, scope })).digest();
    const takeKept = async (tx: WriteTx) => {
      if (!(await takeCall(tx, call))) throw new Refusal('idempotency_in_flight');
      const kept = await findKept(tx, call, now());
      if (kept && !kept.requestHash.equals(requestHash)) throw new Refusal('idempotency_key_reused');
      return kept ? { status: kept.status, body: kept.body, isReplay: true } : null;
    };
    return async (work, ask) => {
      const replay = ask && (await retryConflicts(() => db.write(scope, actor, takeKept)));
      if (replay) return replay;
      const asked = ask && (await settled(ask));
      return retryConflicts(() =>
        db.write(scope, actor, async (tx) => {
          const kept = await takeKept(tx);
          if (kept) return kept;
          const answer = await attempt(tx, entry, (attempted) => {
            if (asked?.status === 'rejected') throw asked.reason;
            return work(attempted, asked?.value as never);
          });
          const expiresAt = new Date(now().getTime() + KEPT_DAYS * DAY_MS);
          await keepCall(tx, call, { requestHash, ...answer }, expiresAt);
          return { ...answer, isReplay: false };
        }),
      );
    };
  };
}

/** A refusal by `ask` is stored like one by the work. */
const settled = async <A>(ask: () => Promise<A>): Promise<PromiseSettledResult<A>> =>
  (await Promise.allSettled([ask()]))[0];

/** Does the work. A refusal undoes it and becomes the answer, and the transaction goes on. */
async function attempt(tx: WriteTx, entry: Entry, work: (tx: WriteTx) => Promise<unknown>) {
  try {
    return await inSavepoint(tx, async (attempted) => answered(entry, await work(attempted)));
  } catch (error) {
    const isFinal = error instanceof Refusal && statusOfRefusal(error) < 500 && error.code !== 'rate_limited';
    if (!isFinal) throw error;
    return { status: statusOfRefusal(error), body: JSON.stringify(envelope(error)) };
  }
}

/** The answer as stored and sent, checked against its schema before anything is committed. */
function answered(entry: Entry, given: unknown): { status: number; body: string } {
  const { answer } = entry;
  const status = statusOf(entry, given);
  if (isJsonText(given)) return { status, body: given.json.join('') };
  if ('stream' in answer) throw new Error('a stream cannot be kept');
  return { status, body: JSON.stringify(z.encode(answer, given)) };
}

/** The status code of a successful answer: 202 when what was asked waits for another person. */
export function statusOf({ status = 200, mayWait }: Entry, given: unknown): number {
  const { data } = given as { data?: { state?: string } };
  return mayWait && data?.state === 'awaiting_approval' ? 202 : status;
}
