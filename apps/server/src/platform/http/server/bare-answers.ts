import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@copydesk/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../observe/log.ts';
import { type LogFields, withLogFields } from '../../observe/log-context.ts';
import { Refusal } from '../../refusal.ts';
import { answerError, envelope, statusOfRefusal } from './error-answer.ts';

/** Headers of an answer that bypasses our hooks. It carries only an error, so its policy allows nothing. */
function bareHeaders(isSecure: boolean): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

/** Answers requests that the framework refuses before routing, such as a path that does not decode. */
export function createFrameworkErrors(isSecure: boolean) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...bareHeaders(isSecure), 'x-request-id': request.id });
    withLogFields(fieldsOf(request), () => answerError(error, request, reply));
  };
}

/**
 * Answers bytes that are not HTTP, or requests that are too large or too slow. Only a socket exists at this point, no
 * request and no reply.
 */
export function createClientErrors(log: Logger, isSecure: boolean) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const refusal = new Refusal(codeOf(error.code));
    const id = randomUUID();
    log.info(
      { code: refusal.code, cause: error.code, requestId: id, address: socket.remoteAddress },
      'not a request',
    );
    if (socket.writable) {
      const body = JSON.stringify(envelope(refusal));
      const headers = {
        ...bareHeaders(isSecure),
        'x-request-id': id,
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const status = statusOfRefusal(refusal);
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroySoon();
  };
}

function codeOf(cause: string | undefined): ErrorCode {
  switch (cause) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    default:
      return 'malformed_request';
  }
}

/** The fields of a request in the log, as far as they are known when a line is written. */
export function fieldsOf(request: FastifyRequest): () => LogFields {
  return () => {
    const { id: requestId, ip: address, principal } = request;
    if (principal?.kind === 'service') return { requestId, address, serviceId: principal.id };
    if (principal?.kind !== 'user') return { requestId, address };
    const viewerId = principal.impersonator?.id;
    return { requestId, address, userId: principal.id, ...(viewerId ? { viewerId } : {}) };
  };
}
