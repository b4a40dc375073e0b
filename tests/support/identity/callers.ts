import type { Persona } from '@copydesk/contract/people';
import type { World } from './world.ts';
import { ORIGIN } from './world.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call of the API, with any `authorization` header. */
export async function call(
  world: Pick<World, 'app'>,
  [method, url]: [Method, string],
  {
    authorization,
    body,
    headers,
    address,
  }: { authorization?: string; body?: object; headers?: object; address?: string } = {},
) {
  const response = await world.app.inject({
    method,
    url,
    ...(address ? { remoteAddress: address } : {}),
    headers: { ...(authorization ? { authorization } : {}), ...headers },
    ...(body ? { payload: body } : {}),
  });
  return {
    status: response.statusCode,
    body: response.json(),
    text: response.body,
    headers: response.headers,
  };
}

export interface AuthCallOptions {
  body?: object;
  cookie?: string;
  address?: string;
  headers?: Record<string, string>;
}

/** A call of /api/auth like the console's in a browser. */
export async function authCall(world: Pick<World, 'app'>, path: string, options: AuthCallOptions = {}) {
  const { body, cookie, address = '127.0.0.1', headers } = options;
  const response = await world.app.inject({
    method: body ? 'POST' : 'GET',
    url: `/api/auth${path}`,
    remoteAddress: address,
    headers: { origin: ORIGIN, ...(cookie ? { cookie } : {}), ...headers },
    ...(body ? { payload: body } : {}),
  });
  const cookies = response.cookies
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join('; ');
  return {
    status: response.statusCode,
    body: response.body === '' ? null : JSON.parse(response.body),
    cookies,
    headers: response.headers,
  };
}

export async function tokenOf(world: Pick<World, 'app'>, cookie: string): Promise<string> {
  return (await authCall(world, '/token', { cookie })).body.token;
}

/** Signs a persona of the demo world in. */
export async function signInAs(world: Pick<World, 'app'>, persona: Persona) {
  const response = await world.app.inject({
    method: 'POST',
    url: '/api/demo/sign-in',
    payload: { persona },
  });
  const { token } = response.json();
  const cookie = response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
  const { sub, sid } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  return { token, cookie, authorization: `Bearer ${token}`, userId: sub as string, sessionId: sid as string };
}
