import type { Persona } from '@copydesk/contract';
import { request } from '@playwright/test';

type Session = Awaited<ReturnType<Awaited<ReturnType<typeof request.newContext>>['storageState']>>;

const sessions = new Map<string, Promise<Session>>();

/** The cookies of a persona that signed in once for all tests of a worker. Never sign out with them. */
export function sessionOf(url: string, persona: Persona): Promise<Session> {
  const key = `${persona} at ${url}`;
  const known = sessions.get(key);
  if (known) return known;
  const session = signIn(url, persona);
  sessions.set(key, session);
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
