import { ERRORS, type ErrorCode, type ErrorEnvelope } from '@copydesk/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isStatementTimeout } from '../../db/connection/connection.ts';
import { isReadOnly, isUnreachable } from '../../db/connection/outage.ts';
import { isRefusedRequest } from '../../db/refused-by-rules.ts';
import { isConflict } from '../../db/retry-conflicts.ts';
import { Refusal } from '../../refusal.ts';

/** Converts a thrown value into the error for the client. Unknown errors become a 500. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return new Refusal('validation_failed', describe(error));
  if (isReadOnly(error)) return new Refusal('writes_unavailable');
  if (isUnreachable(error) || isConflict(error)) return new Refusal('unavailable');
  if (isStatementTimeout(error)) return new Refusal('query_timeout');
  if (isRefusedRequest(error)) return new Refusal('refused_by_rules');
  if ((error as FastifyError).code === 'FST_ERR_BAD_URL')
    return new Refusal('validation_failed', { message: 'path: Invalid text' });
  return new Refusal(codeOfFramework(error as FastifyError));
}

function describe(error: FastifyError): { message: string; details: { path: string; message: string }[] } {
  const details = (error.validation ?? []).flatMap((issue) => {
    const path = issue.instancePath.replace(/^\//, '').replaceAll('/', '.');
    const keys = issue.params.keys as string[] | undefined;
    // An unknown key is reported under its own name, not under that of the object around it.
    return (keys ?? [null]).map((key) => ({
      path: [path, key].filter(Boolean).join('.') || (error.validationContext ?? 'request'),
      message: key === null ? (issue.message ?? 'Invalid input') : 'Invalid input',
    }));
  });
  const first = details[0];
  return { message: first ? `${first.path}: ${first.message}` : ERRORS.validation_failed.message, details };
}

function codeOfFramework(error: FastifyError): ErrorCode {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'payload_too_large';
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'unsupported_media_type';
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return 'malformed_body';
    // Longer than any id, so no such row exists.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return 'not_found';
  }
  if (error.statusCode === 404) return 'not_found';
  return error.statusCode && error.statusCode < 500 ? 'malformed_body' : 'internal_error';
}

/** Failures that readiness reports. */
const ATTENDED: ReadonlySet<ErrorCode> = new Set(['unavailable', 'writes_unavailable']);

/** Fastify's error handler: the envelope, and a log line with the cause when it is ours. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  const status = statusOfRefusal(refusal);
  if (isAborted(error, request)) return reply.code(400).send(envelope(new Refusal('malformed_body')));
  // The request passed every schema, yet the database refused it: the caller gets an answer, and the log
  // shows the gap.
  const isGap = refusal.code === 'refused_by_rules' && error !== refusal;
  if (status >= 500 || isGap) {
    // Readiness reports a database that is down, busy or read only. Each affected request is a warning.
    const level = ATTENDED.has(refusal.code) ? 'warn' : 'error';
    request.log[level](
      { err: error, code: refusal.code },
      isGap ? 'the database refused what passed schema and checks' : 'request failed',
    );
  }
  if (status === 503) reply.header('retry-after', refusal.code === 'writes_unavailable' ? '60' : '2');
  // A download that failed at its first row has already set its type to CSV.
  return reply.code(status).type('application/json; charset=utf-8').send(envelope(refusal));
}

/**
 * Whether the client disconnected before its body arrived, which is not our failure. When a connection of
 * ours breaks, such as that to the database, the error names the failed system call.
 */
function isAborted(error: unknown, { raw }: FastifyRequest): boolean {
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (raw.complete || syscall !== undefined) return false;
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** The HTTP status of a refusal. */
export const statusOfRefusal = ({ code }: Refusal): number => ERRORS[code].status;

/** The envelope of a refusal. */
export function envelope(error: Refusal): ErrorEnvelope {
  return {
    success: false,
    error: error.code,
    message: error.message,
    ...(error.details ? { details: error.details } : {}),
  };
}
