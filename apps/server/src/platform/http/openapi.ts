import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

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
    transformObject: jsonSchemaTransformObject,
  });
});

/** `/api/openapi.json`, and a page to browse it at `/api/docs`. */
export async function serveOpenApi(app: FastifyInstance): Promise<void> {
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());

  // The page keeps 4 MB of script in memory, so it is loaded on its first request.
  let page: Promise<FastifyInstance> | null = null;
  for (const url of ['/api/docs', '/api/docs/*'])
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      page ??= loadPage();
      const answer = await (await page).inject(request.url);
      const policy = String(reply.getHeader('content-security-policy') ?? '');
      return reply
        .code(answer.statusCode)
        .headers({
          ...(answer.headers.location ? { location: answer.headers.location } : {}),
          'content-type': answer.headers['content-type'],
          // A tool for developers, with inline scripts and styles of its own; nothing else gets them.
          'content-security-policy': policy
            .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
            .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
        })
        .send(answer.rawPayload);
    });
}

async function loadPage(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const page = fastify();
  await page.register(reference, {
    routePrefix: '/api/docs',
    configuration: {
      url: '/api/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      // This agent would call its vendor.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  await page.ready();
  return page;
}
