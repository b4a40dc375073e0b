import type { Persona } from '@copydesk/contract';
import { request } from '@playwright/test';

type Session = Awaited<ReturnType<Awaited<ReturnType<typeof request.newContext>>['storageState']>>;

/** Ten minutes after a sign-in, sensitive calls ask for another one: a test begins with more than half of that left. */
const FRESH_MS = 4 * 60_000;
const sessions = new Map<string, { session: Promise<Session>; signedInAt: number }>();

/** The cookies of a persona that signed in lately, for the tests of a worker. Never sign out with them. */
export function sessionOf(url: string, persona: Persona): Promise<Session> {
  const key = `${persona} at ${url}`;
  const known = sessions.get(key);
  if (known && Date.now() - known.signedInAt < FRESH_MS) return known.session;
  const session = signIn(url, persona);
  sessions.set(key, { session, signedInAt: Date.now() });
  return session;
}

async function signIn(url: string, persona: Persona): Promise<Session> {
  const context = await request.newContext({ baseURL: url });
  const answer = await context.post('/api/demo/sign-in', { data: { persona } });
  if (!answer.ok()) throw new Error(`${persona} cannot sign in: ${await answer.text()}`);
  const state = await context.storageState();
  await context.dispose();
  return state;
}
