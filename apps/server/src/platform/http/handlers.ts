import type { Call, CallAnswer, CallParsed, Contract } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../audit/audit.ts';
import type { Principal } from '../identity/identity.ts';
import type { Once, StoredAnswer } from './idempotency/idempotency.ts';
import type { JsonText } from './json-text.ts';

/**
 * Returned by a handler that has sent its answer itself, as a stream. The reply is a thenable: it cannot be returned.
 */
export const STREAMED = Symbol('streamed');

/** The request around the parsed input. What its caller sent is left out: no handler sees an unparsed value. */
export type HttpRequest = Omit<FastifyRequest, 'params' | 'query' | 'body'>;

interface Signed {
  principal: Principal;
  /** The rows that the caller may see. */
  scope: Scope;
  /** The caller, as audit entries name it. */
  actor: Actor;
}

type Who<K extends Call> = Contract[K]['permission'] extends 'public' ? { principal: null } : Signed;

/** A call that honours the `Idempotency-Key` does all its work inside `once`. */
type Repeatable<K extends Call> = Contract[K] extends { idempotent: true }
  ? { once: Once<CallAnswer<K>> }
  : unknown;

export type Request<K extends Call> = CallParsed<K> &
  Who<K> &
  Repeatable<K> & {
    requestId: string;
    http: HttpRequest;
    reply: FastifyReply;
  };

type Answer<K extends Call> = Contract[K]['answer'] extends { stream: string }
  ? typeof STREAMED
  : Contract[K] extends { idempotent: true }
    ? StoredAnswer<CallAnswer<K>>
    : CallAnswer<K> | JsonText<CallAnswer<K>>;

export type Handler<K extends Call> = (request: Request<K>) => Promise<Answer<K>>;

/** One handler for every call of the contract: a missing one does not compile. */
export type Handlers<K extends Call = Call> = { [P in K]: Handler<P> };
