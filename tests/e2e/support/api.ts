import type { Persona } from '@copydesk/contract/people';
import { createClient } from '../../../apps/console/src/lib/api/call.ts';
import { sessionOf, tokenOf } from './sessions.ts';

export type Api = Awaited<ReturnType<typeof createApi>>;

/** Less than a token of the hosted service lives. */
const TOKEN_USED_MS = 30_000;

/** The console's own client, as a persona, for what a test prepares and compares with. */
export async function createApi(url: string, persona: Persona) {
  const session = await sessionOf(url, persona);
  let held = { token: await tokenOf(url, session), at: Date.now() };
  const getToken = async () => {
    if (Date.now() - held.at > TOKEN_USED_MS) held = { token: await tokenOf(url, session), at: Date.now() };
    return held.token;
  };
  const credentials = {
    getToken,
    onLost: () => {},
    confirmRecentAuth: async () => false,
    onFactorMissing: () => {},
  };
  return createClient(
    () => credentials,
    (input, init) => fetch(new URL(String(input), url), init),
  );
}
