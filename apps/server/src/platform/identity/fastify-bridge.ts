import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { CLIENT_ADDRESS_HEADER } from './client-address.ts';
import type { EmbeddedIdentity, RefusedSignIn } from './identity.ts';

/** For one address. A console requests a token every five minutes; an office full of them stays far below. */
const REQUESTS_PER_MINUTE = 600;
/** Sign-in forms are small. */
const BODY_LIMIT_BYTES = 16_384;

/** Receives the refusals that the service answers; must neither wait nor throw. */
type OnRefused = (refused: RefusedSignIn, request: FastifyRequest) => void;

/**
 * A plugin that mounts the identity service below /api/auth. It reads and writes cookies, which no other route does; it
 * receives request bodies unchanged.
 */
export async function identityRequests(
  app: FastifyInstance,
  { identity, onRefused }: { identity: EmbeddedIdentity; onRefused?: OnRefused },
): Promise<void> {
  const limit = app.createRateLimit({ max: REQUESTS_PER_MINUTE, timeWindow: 60_000 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: { hide: true },
    onRequest: async (request) => {
      const verdict = await limit(request);
      if (!verdict.isAllowed && verdict.isExceeded) throw new Refusal('rate_limited');
    },
    handler: async (request, reply) =>
      answer(await identity.handle(toRequest(request), (refused) => onRefused?.(refused, request)), reply),
  });
}

function toRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  headers.set(CLIENT_ADDRESS_HEADER, request.ip);
  // The body is a string again; a wrong length would confuse its reader.
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
