import type { FastifyRequest } from 'fastify';
import type { LogFields } from '../observe/log-context.ts';

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
