import type { Persona } from '@copydesk/contract';
import { createClient } from '../../../apps/console/src/lib/call.ts';
import { sessionOf } from './sessions.ts';

export type Api = Awaited<ReturnType<typeof createApi>>;

/** The console's own client, as a persona, for what a test prepares and compares with. */
export async function createApi(url: string, persona: Persona) {
  const { cookies } = await sessionOf(url, persona);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
  const { token } = (await answer.json()) as { token: string };
  const credentials = { getToken: async () => token, onLost: () => {}, confirmPresence: async () => false };
  return createClient(
    () => credentials,
    (input, init) => fetch(new URL(String(input), url), init),
  );
}
