import { SERVICE_SCOPES } from '@copydesk/domain/access';
import type { Caller } from './fuzz.ts';

const PERSONAS = ['super', 'super-2', 'staff', 'staff-multi', 'no-access', 'not-admin'] as const;
/** Sooner than an authentication stops counting as recent. */
const FRESH_MS = 3 * 60_000;

/** Every kind of caller, over HTTP. Their sessions are renewed in time. */
export async function createCallers(url: string): Promise<Record<string, Caller>> {
  const signIn = async (persona: string): Promise<string> => {
    const answer = await post(`${url}/api/demo/sign-in`, { persona });
    return `Bearer ${(answer as { token: string }).token}`;
  };
  const personas = PERSONAS.map((persona) => {
    let signedInAt = Number.NEGATIVE_INFINITY;
    let authorization: Promise<string> = Promise.resolve('');
    const caller: Caller = async () => {
      if (performance.now() - signedInAt > FRESH_MS) {
        signedInAt = performance.now();
        authorization = signIn(persona);
      }
      return { authorization: await authorization };
    };
    return [persona, caller] as const;
  });
  const asSuper = (await personas[0]?.[1]()) ?? {};
  const providers = (await (await fetch(`${url}/api/providers`, { headers: asSuper })).json()) as {
    data: { id: string }[];
  };
  const created = await post(
    `${url}/api/service-tokens`,
    { name: 'Attack', scopes: SERVICE_SCOPES, provider_ids: providers.data.map(({ id }) => id) },
    asSuper,
  );
  const { token } = (created as { data: { token: string } }).data;
  return {
    ...Object.fromEntries(personas),
    anonymous: async () => ({}),
    service: async () => ({ authorization: token }),
  };
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
