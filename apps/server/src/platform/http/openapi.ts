import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { serveDocumentation } from './documentation-page.ts';

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
  serveDocumentation(app);
}
