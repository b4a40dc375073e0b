import { isRecordedRefusal, type RefusalCode } from '@copydesk/contract/audit';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../identity/identity.ts';
import type { Refusal } from '../../refusal.ts';

/** A caller that the server knows. */
export interface RefusedCaller {
  kind: 'user' | 'service';
  id: string;
  name: string;
}

/** One refused attempt, or what a worker noticed without a call. It never holds what was sent: no token, body, query string or path. */
export interface RefusedAttempt {
  code: RefusalCode;
  /** Method and path as in the contract, with the names of its parameters instead of their values. */
  call: string | null;
  /** Null: unknown. */
  caller: RefusedCaller | null;
  /** Of the client. */
  address: string | null;
  requestId: string | null;
}

/** The refusal behind an error of a request; null when the security log does not record it. */
export function refusalOf(error: Refusal, request: FastifyRequest): RefusedAttempt | null {
  return error.isGuess || !isRecordedRefusal(error.code) ? null : entryOf(error.code, request);
}

type RefusedRequest = Pick<FastifyRequest, 'method' | 'routeOptions' | 'principal' | 'ip' | 'id'>;

/** What the security log records of a request. */
export function entryOf(code: RefusalCode, request: RefusedRequest): RefusedAttempt {
  return {
    code,
    call: callOf(request),
    caller: request.principal && callerOf(request.principal),
    address: request.ip,
    requestId: request.id,
  };
}

/** The route, written as in the contract. HEAD is its GET: it reads the same, and has no entry of its own. */
function callOf({ method, routeOptions }: RefusedRequest): string {
  return `${method === 'HEAD' ? 'GET' : method} ${(routeOptions.url ?? '/*').replace(/:(\w+)/g, '{$1}')}`;
}

/** The person at the keyboard: a person who views as another user is that user only for reading. */
function callerOf(principal: Principal): RefusedCaller {
  if (principal.kind === 'service') return { kind: 'service', id: principal.id, name: principal.name };
  const { impersonator } = principal;
  if (!impersonator) return { kind: 'user', id: principal.id, name: principal.email };
  return { kind: 'user', id: impersonator.id, name: `${impersonator.email}, viewing as ${principal.email}` };
}
