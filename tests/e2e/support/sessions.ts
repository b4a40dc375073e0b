import type { Persona } from '@copydesk/contract/people';
import { type APIRequestContext, request } from '@playwright/test';
import { signInAtService, tokenAtService } from './hosted-sign-in.ts';
import { isHosted } from './identity-mode.ts';

export type Session = Awaited<ReturnType<APIRequestContext['storageState']>>;

/** Ten minutes after a sign-in, sensitive calls ask for another one: a test begins with more than half of that left. */
const FRESH_MS = 4 * 60_000;
const sessions = new Map<string, { session: Promise<Session>; signedInAt: number }>();

/** The cookies of a persona that signed in lately, for the tests of a worker. Never sign out with them. */
export function sessionOf(url: string, persona: Persona): Promise<Session> {
  const key = `${persona} at ${url}`;
  const known = sessions.get(key);
  if (known && Date.now() - known.signedInAt < FRESH_MS) return known.session;
  const session = newSession(url, persona);
  sessions.set(key, { session, signedInAt: Date.now() });
  return session;
}

/** The cookies of a session that a test may end. */
export async function newSession(url: string, persona: Persona): Promise<Session> {
  const context = await request.newContext({ baseURL: url });
  if (isHosted) await signInAtService(context, persona);
  else {
    const answer = await context.post('/api/demo/sign-in', { data: { persona } });
    if (!answer.ok()) throw new Error(`${persona} cannot sign in: ${await answer.text()}`);
  }
  const state = await context.storageState();
  await context.dispose();
  return state;
}

/** A token for the API, as the console's page gets it with these cookies. */
export async function tokenOf(url: string, { cookies }: Session): Promise<string> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  if (isHosted) return tokenAtService(url, cookie);
  const answer = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
  return ((await answer.json()) as { token: string }).token;
}
