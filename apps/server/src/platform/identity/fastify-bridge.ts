import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_ADDRESS_HEADER } from './client-address.ts';
import type { Identity } from './identity.ts';

/** Sign-in forms are small. */
const BODY_LIMIT_BYTES = 16_384;

/**
 * A plugin that mounts the identity service below /api/auth. It reads and writes cookies, which no other route
 * does; bodies go to it as they came.
 */
export async function identityRequests(
  app: FastifyInstance,
  { identity }: { identity: Identity },
): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: { hide: true },
    handler: async (request, reply) => answer(await identity.handle(toRequest(request)), reply),
  });
}

function toRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  headers.set(CLIENT_ADDRESS_HEADER, request.ip);
  // The body is a string again; a length that no longer fits would confuse its reader.
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  return new Request(new URL(request.url, 'http://identity.internal'), {
    method: request.method,
    headers,
    ...(typeof request.body === 'string' ? { body: request.body } : {}),
  });
}

async function answer(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  reply.header('cache-control', 'no-store');
  return reply.send(await response.text());
}
