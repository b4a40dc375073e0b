import type { FastifyInstance } from 'fastify';
import { authCall, call, tokenOf } from './callers.ts';

/** The password of people invited in tests. */
export const PASSWORD = 'correct horse battery staple';
let people = 0;

export interface Person {
  id: string;
  email: string;
  authorization: string;
  cookie: string;
}

/** Invites a person as a super admin; the token is that of the link. */
export async function invite(
  world: { app: FastifyInstance },
  authorization: string,
  body: { email: string; super?: boolean; admin?: boolean },
): Promise<{ id: string; token: string }> {
  const answer = await call(world, ['POST', '/api/users/invitations'], { authorization, body });
  if (answer.status !== 201) throw new Error(answer.text);
  return { id: answer.body.data.id, token: /token=(.+)$/.exec(answer.body.data.link)?.[1] ?? '' };
}

/** Accepts an invitation and signs in, from an address of its own. */
export async function accept(
  world: { app: FastifyInstance },
  invited: { id: string; token: string; email: string },
): Promise<Person> {
  const { id, email, token } = invited;
  const accepted = await call(world, ['POST', '/api/invitations/accept'], {
    body: { token, name: email, password: PASSWORD },
    address: nextAddress(),
  });
  if (accepted.status !== 200) throw new Error(accepted.text);
  return { id, email, ...(await signIn(world, email)) };
}

/** Signs in by e-mail address and password. */
export async function signIn(world: { app: FastifyInstance }, email: string, password = PASSWORD) {
  const address = nextAddress();
  const { cookies } = await authCall(world, '/sign-in/email', { body: { email, password }, address });
  return { cookie: cookies, authorization: `Bearer ${await tokenOf(world, cookies)}` };
}

/** A super admin whom another one has just created. */
export async function addSuperAdmin(
  world: { app: FastifyInstance },
  authorization: string,
  email: string,
): Promise<Person> {
  return accept(world, { email, ...(await invite(world, authorization, { email, super: true })) });
}

function nextAddress(): string {
  people += 1;
  return `10.77.${Math.floor(people / 250)}.${people % 250}`;
}
