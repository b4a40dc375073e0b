import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { Refusal } from '../refusal.ts';
import { allowOwnStyles } from './server/security-headers.ts';

/** Collects the OpenAPI document of the routes registered after it. */
export const openApi = fp(async (app: FastifyInstance) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Copydesk API',
        version: '1',
        description:
          'Success: `{success: true, data, meta?}`. Errors: `{success: false, error, message, details?}`. Every answer carries `x-request-id`.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => withSortedSchemas(jsonSchemaTransformObject(document)),
  });
});

type ApiDocument = ReturnType<typeof jsonSchemaTransformObject>;

/**
 * The library lists schemas in the order of their creation, which depends on how a process loaded the
 * contract.
 */
function withSortedSchemas(document: ApiDocument): ApiDocument {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  const schemas = Object.entries(components?.schemas ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } } as ApiDocument;
}

/** `/api/openapi.json`, and a page to browse it at `/api/docs`. */
export async function serveOpenApi(app: FastifyInstance): Promise<void> {
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  serveDocumentation(app);
}

const AT = '/api/docs';
/** The one inline script of the library's page. */
const INLINE_SCRIPT = /<script type="text\/javascript">([\s\S]*?)<\/script>/;

interface Documentation {
  /** Styles get the nonce that replaces this mark. */
  page: string;
  scripts: Record<string, Buffer>;
}

const NONCE_MARK = '__CSP_NONCE__';

/**
 * Gives the page's nonce to styles that parts of the library insert without one. It runs before the library's
 * scripts.
 */
const GIVE_NONCE = `(() => {
  const { content } = document.querySelector('meta[property="csp-nonce"]');
  const create = document.createElement;
  document.createElement = function (name, ...rest) {
    const element = create.call(this, name, ...rest);
    if (element instanceof HTMLStyleElement) element.nonce = content;
    return element;
  };
})();
`;

/**
 * A page to browse the API, for developers, under the policy of every other page: its scripts are files, and the styles
 * that they insert carry a nonce.
 */
function serveDocumentation(app: FastifyInstance): void {
  // The page keeps 4 MB of script in memory, so it is loaded on its first request.
  let loading: Promise<Documentation> | null = null;
  const load = () => {
    loading ??= loadDocumentation();
    return loading;
  };
  app.get(AT, { schema: { hide: true } }, async (_request, reply) => {
    const { page } = await load();
    const nonce = allowOwnStyles(reply);
    return reply.type('text/html; charset=utf-8').send(page.replaceAll(NONCE_MARK, nonce));
  });
  app.get(`${AT}/*`, { schema: { hide: true } }, async (request, reply) => {
    const { scripts } = await load();
    const { '*': name } = request.params as { '*': string };
    const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    if (!script) throw new Refusal('not_found');
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(script);
  });
}

async function loadDocumentation(): Promise<Documentation> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const library = fastify();
  await library.register(reference, {
    routePrefix: AT,
    configuration: {
      url: '/api/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      // The library's agent would call its vendor.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  await library.ready();
  const html = (await library.inject(`${AT}/`)).body;
  const { rawPayload: scalar } = await library.inject(`${AT}/js/scalar.js`);
  await library.close();
  const start = INLINE_SCRIPT.exec(html)?.[1];
  if (start === undefined) throw new Error('the page of the library has another form');
  const page = html
    .replace(INLINE_SCRIPT, `<script src="${AT}/start.js"></script>`)
    .replace('src="js/scalar.js"', `src="${AT}/scalar.js"`)
    .replace('<head>', `<head>\n    <meta property="csp-nonce" content="${NONCE_MARK}" />`);
  return {
    page,
    scripts: {
      'scalar.js': Buffer.concat([Buffer.from(GIVE_NONCE), scalar]),
      'start.js': Buffer.from(start),
    },
  };
}
