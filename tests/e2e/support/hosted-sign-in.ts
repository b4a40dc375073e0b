import type { Persona } from '@copydesk/contract/people';
import type { APIRequestContext } from '@playwright/test';

// The personas at the simulated hosted service, and how a browser signs in there: through its frontend API, which the
// product's origin has below this path.

export const PROXY_PATH = '/__clerk';
/** Of all personas: they are there for tests. */
export const PERSONA_PASSWORD = 'the password of a persona at the service';
export const PERSONA_CODE = '424242';
export const emailOf = (persona: Persona) => `${persona}@demo.example`;

const at = (path: string) => `${PROXY_PATH}/v1/client${path}`;

/** Signs a persona in with both factors; the context then has the cookies of its browser. */
export async function signInAtService(context: APIRequestContext, persona: Persona): Promise<void> {
  const post = async (path: string, form: Record<string, string>) => {
    const answer = await context.post(at(path), { form });
    if (!answer.ok()) throw new Error(`${persona} cannot sign in at the service: ${await answer.text()}`);
    return ((await answer.json()) as { response: { id: string } }).response;
  };
  const { id } = await post('/sign_ins', { identifier: emailOf(persona), password: PERSONA_PASSWORD });
  await post(`/sign_ins/${id}/attempt_second_factor`, { strategy: 'totp', code: PERSONA_CODE });
}

/** A token of a minute, for the session that a browser has with these cookies. */
export async function tokenAtService(url: string, cookie: string): Promise<string> {
  const headers = { cookie, origin: new URL(url).origin };
  const read = async <T>(path: string, method: string) =>
    (await (await fetch(`${url}${at(path)}`, { method, headers })).json()) as T;
  const { response } = await read<{ response: { last_active_session_id: string } }>('', 'GET');
  const path = `/sessions/${response.last_active_session_id}/tokens`;
  return (await read<{ jwt: string }>(path, 'POST')).jwt;
}
