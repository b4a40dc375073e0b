import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';
import { allowOwnStyles } from './server/security-headers.ts';

const HASHED_ASSET = /\/assets\//;
/** Paths that never fall back to the console's page: calls, and assets of an earlier build. */
const NO_PAGE = /^\/(api|assets)(\/|\?|$)/;

/**
 * Serves the built console: hashed assets, cached for a year, and its page for every other path outside the API, each
 * time with a fresh nonce for the styles that its dialogs insert.
 */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  const page = join(folder, 'index.html');
  const template = existsSync(page) ? readFileSync(page, 'utf8') : null;
  if (template !== null) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: false,
      cacheControl: false,
      setHeaders: (response, path) => {
        response.header(
          'cache-control',
          HASHED_ASSET.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  } else
    app.log.warn(
      'the console is not built: only the API is served. Run "node scripts/prepare.mjs production" first',
    );
  app.setNotFoundHandler((request, reply) => {
    const isPage = ['GET', 'HEAD'].includes(request.method) && !NO_PAGE.test(request.url);
    if (!isPage || template === null) throw new Refusal('not_found');
    const nonce = allowOwnStyles(reply);
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(template.replaceAll('__CSP_NONCE__', nonce));
  });
}
