import type { Persona } from '@copydesk/contract';
import { request } from '@playwright/test';

type Session = Awaited<ReturnType<Awaited<ReturnType<typeof request.newContext>>['storageState']>>;

const sessions = new Map<Persona, Promise<Session>>();

/** The cookies of a persona that signed in once for all tests. Never sign out with them. */
export function sessionOf(persona: Persona): Promise<Session> {
  const known = sessions.get(persona);
  if (known) return known;
  const session = signIn(persona);
  sessions.set(persona, session);
  return session;
}

async function signIn(persona: Persona): Promise<Session> {
  const context = await request.newContext({ baseURL: process.env.E2E_URL });
  const answer = await context.post('/api/demo/sign-in', { data: { persona } });
  if (!answer.ok()) throw new Error(`${persona} cannot sign in: ${await answer.text()}`);
  const state = await context.storageState();
  await context.dispose();
  return state;
}
