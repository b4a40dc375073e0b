import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

/** Makes a call of the contract, by its key, against an app that does not listen. */
export function send(
  app: FastifyInstance,
  call: string,
  { params = {}, query = {}, body }: Parts = {},
  authorization?: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const [method, path] = call.split(' ') as ['GET', string];
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return app.inject({
    method,
    url,
    query: query as Record<string, string>,
    ...(body === undefined ? {} : { payload: body as object }),
    headers: { ...headers, ...(authorization ? { authorization } : {}) },
  });
}
