import type { FastifyInstance } from 'fastify';
import { authCall, call, tokenOf } from './callers.ts';
import { totpCode } from './totp.ts';

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

/** A person with an authenticator app, whose `otpauth:` address it is. */
export interface EnrolledPerson extends Person {
  uri: string;
  /** The last code that was accepted, which counts no more. */
  usedCode: string;
}

/** A super admin whom another one has just created, with a second factor, which acts on money need. */
export async function addSuperAdmin(
  world: { app: FastifyInstance },
  authorization: string,
  email: string,
): Promise<EnrolledPerson> {
  const invited = await invite(world, authorization, { email, super: true });
  return enrol(world, await accept(world, { ...invited, email }));
}

/** Sets up an authenticator app. The session goes on as another one, which has proven the second factor. */
export async function enrol(world: { app: FastifyInstance }, person: Person): Promise<EnrolledPerson> {
  const request = { cookie: person.cookie, address: nextAddress() };
  const enabled = await authCall(world, '/two-factor/enable', { body: { password: PASSWORD }, ...request });
  const uri: string = enabled.body.totpURI;
  const code = await totpCode(uri);
  return { ...person, uri, usedCode: code, ...(await verifyCode(world, code, request)) };
}

/** Signs in with password and code. */
export async function signInWithCode(
  world: { app: FastifyInstance },
  person: EnrolledPerson,
): Promise<EnrolledPerson> {
  const address = nextAddress();
  const body = { email: person.email, password: PASSWORD };
  const { cookies } = await authCall(world, '/sign-in/email', { body, address });
  const code = await totpCode(person.uri);
  return { ...person, usedCode: code, ...(await verifyCode(world, code, { cookie: cookies, address })) };
}

async function verifyCode(
  world: { app: FastifyInstance },
  code: string,
  request: { cookie: string; address: string },
) {
  const { status, cookies } = await authCall(world, '/two-factor/verify-totp', {
    body: { code },
    ...request,
  });
  if (status !== 200) throw new Error('the code was refused');
  return { cookie: cookies, authorization: `Bearer ${await tokenOf(world, cookies)}` };
}

function nextAddress(): string {
  people += 1;
  return `10.77.${Math.floor(people / 250)}.${people % 250}`;
}
