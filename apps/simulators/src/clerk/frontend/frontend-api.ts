import type { ReceivedAnswer, VenueRequest } from '../../venues/venue.ts';
import { refuse } from '../backend/backend-api.ts';
import type { Session } from '../clerk-state.ts';
import type { ClerkInstance } from '../instance.ts';
import { waitlistObject } from '../objects/access.ts';
import { issueToken } from '../session-token.ts';
import type { TokenSigner } from '../token-signer.ts';
import { browserSession, type Client, membershipsOf, signInObject, verificationObject } from './client.ts';
import { environmentObject } from './environment.ts';
import { planObjects } from './plans.ts';

export interface Frontend {
  instance: ClerkInstance;
  signer: TokenSigner;
  issuer: () => string;
}

interface Asked {
  client: Client;
  form: URLSearchParams;
  id: string;
  origin: string | undefined;
  frontend: Frontend;
}

const COOKIE = '__client';
const ID = /\/((?:sia|sess)_\w+)/;
const COMPLETE = 'complete' as const;

/** Answers browsers (clerk.com/docs/reference/frontend-api), as far as the console's components ask. */
export function createFrontendApi(frontend: Frontend): (request: VenueRequest) => ReceivedAnswer {
  const clients = new Map<string, Client>();
  const { instance } = frontend;
  return ({ method, path, params, headers, body }) => {
    const known = clients.get(new RegExp(`${COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1] ?? '');
    const client = known ?? { id: instance.id('client'), signIn: null };
    clients.set(client.id, client);
    const id = ID.exec(path)?.[1] ?? '';
    const verb = params.get('_method') ?? method;
    const call = CALLS[`${verb} ${path.replace(ID, '/{id}')}`];
    if (!call) return refuse(404, 'not_found', `${verb} ${path} is not simulated`);
    const origin = headers.origin ?? headers.referer?.replace(/^(https?:\/\/[^/]+).*$/, '$1');
    const answer = call({ client, form: new URLSearchParams(body), id, origin, frontend });
    const cookie = `${COOKIE}=${client.id}; Path=/; HttpOnly; SameSite=Lax`;
    return { ...answer, headers: { 'set-cookie': cookie } };
  };
}

const wrong = (code: string, message: string, name: string): ReceivedAnswer => ({
  status: 422,
  body: { errors: [{ code, message, long_message: message, meta: { param_name: name } }] },
});

const activeOf = ({ client, frontend: { instance } }: Asked): Session[] =>
  [...instance.state.sessions.values()].filter(
    (one) => one.clientId === client.id && one.status === 'active',
  );

function sessionOf(asked: Asked, session: Session, organizationId = session.organizationId) {
  const { instance, signer, issuer } = asked.frontend;
  const party = { issuer: issuer(), origin: asked.origin, organizationId };
  return browserSession(instance, session, issueToken({ instance, signer }, session.id, party));
}

function clientOf(asked: Asked) {
  const sessions = activeOf(asked);
  const { client, frontend } = asked;
  return {
    object: 'client',
    id: client.id,
    sessions: sessions.map((one) => sessionOf(asked, one)),
    sign_in: client.signIn && client.signIn.status !== COMPLETE ? signInObject(client.signIn) : null,
    sign_up: null,
    last_active_session_id: sessions.at(-1)?.id ?? null,
    last_authentication_strategy: null,
    cookie_expires_at: null,
    captcha_bypass: true,
    created_at: frontend.instance.now(),
    updated_at: frontend.instance.now(),
  };
}

/** The answer to a change has the browser's new state beside it. */
const changed = (asked: Asked, response: unknown): ReceivedAnswer => ({
  status: 200,
  body: { response, client: clientOf(asked) },
});
const page = (data: unknown[]): ReceivedAnswer => ({
  status: 200,
  body: { response: { data, total_count: data.length }, client: null },
});
const plansAnswer = (data: unknown[]): ReceivedAnswer => ({
  status: 200,
  body: { data, total_count: data.length },
});

const noMember = () =>
  refuse(
    404,
    'organization_not_found_or_unauthorized',
    'Given organization not found, or you do not have permission',
  );

const isMember = ({ frontend: { instance } }: Asked, { userId }: Session, organizationId: string | null) =>
  organizationId === null ||
  [...instance.state.memberships.values()].some(
    (one) => one.userId === userId && one.organizationId === organizationId,
  );

function ownSession(asked: Asked): Session | null {
  return activeOf(asked).find(({ id }) => id === asked.id) ?? null;
}

const CALLS: Record<string, (asked: Asked) => ReceivedAnswer> = {
  'GET /v1/environment': () => ({ status: 200, body: environmentObject() }),
  'GET /v1/client': (asked) => ({ status: 200, body: { response: clientOf(asked), client: null } }),
  'POST /v1/client': (asked) => ({ status: 200, body: { response: clientOf(asked), client: null } }),
  'POST /v1/client/sign_ins': (asked) => {
    const { client, form, frontend } = asked;
    const email = form.get('identifier')?.toLowerCase();
    const user = [...frontend.instance.state.users.values()].find((one) => one.email === email);
    if (!user) return wrong('form_identifier_not_found', "Couldn't find your account.", 'identifier');
    client.signIn = { id: frontend.instance.id('sia'), user, status: 'needs_first_factor', sessionId: null };
    return form.has('password') ? attemptPassword(asked) : changed(asked, signInObject(client.signIn));
  },
  'POST /v1/client/sign_ins/{id}/attempt_first_factor': attemptPassword,
  'POST /v1/client/sign_ins/{id}/attempt_second_factor': (asked) => {
    const { signIn } = asked.client;
    if (signIn?.status !== 'needs_second_factor') return refuse(404, 'not_found', 'No sign in');
    if (asked.form.get('code') !== signIn.user.code)
      return wrong('form_code_incorrect', 'Incorrect code', 'code');
    return complete(asked, true);
  },
  'POST /v1/client/sessions/{id}/touch': (asked) => {
    const session = ownSession(asked);
    if (session && asked.form.has('active_organization_id')) {
      const organizationId = asked.form.get('active_organization_id') || null;
      if (!isMember(asked, session, organizationId)) return noMember();
      session.organizationId = organizationId;
    }
    return session ? changed(asked, sessionOf(asked, session)) : refuse(404, 'not_found', 'No session');
  },
  'POST /v1/client/sessions/{id}/tokens': (asked) => {
    const session = ownSession(asked);
    if (!session) return refuse(401, 'authentication_invalid', 'Signed out');
    const asks = asked.form.has('organization_id');
    const organizationId = asks ? asked.form.get('organization_id') || null : session.organizationId;
    if (!isMember(asked, session, organizationId)) return noMember();
    const { jwt } = sessionOf(asked, session, organizationId).last_active_token;
    return { status: 200, body: { object: 'token', jwt } };
  },
  'POST /v1/client/sessions/{id}/verify': (asked) => {
    const level = asked.form.get('level') ?? 'first_factor';
    const status = level === 'second_factor' ? 'needs_second_factor' : 'needs_first_factor';
    return verification(asked, level, status);
  },
  'POST /v1/client/sessions/{id}/verify/attempt_first_factor': (asked) => {
    const session = ownSession(asked);
    const user = session && asked.frontend.instance.state.users.get(session.userId);
    if (!session || user?.password === null || asked.form.get('password') !== user?.password)
      return wrong('form_password_incorrect', 'Password is incorrect.', 'password');
    session.firstFactorAt = asked.frontend.instance.now();
    return verification(asked, 'first_factor', COMPLETE);
  },
  'POST /v1/client/sessions/{id}/verify/attempt_second_factor': (asked) => {
    const session = ownSession(asked);
    const user = session && asked.frontend.instance.state.users.get(session.userId);
    if (!session || user?.code === null || asked.form.get('code') !== user?.code)
      return wrong('form_code_incorrect', 'Incorrect code', 'code');
    session.secondFactorAt = asked.frontend.instance.now();
    return verification(asked, 'second_factor', COMPLETE);
  },
  'POST /v1/client/sessions/{id}/remove': removeSessions,
  'DELETE /v1/client/sessions': removeSessions,
  'GET /v1/me/organization_memberships': (asked) => {
    const [session] = activeOf(asked);
    return page(session ? membershipsOf(asked.frontend.instance, session.userId) : []);
  },
  'GET /v1/me/organization_invitations': () => page([]),
  'GET /v1/me/organization_suggestions': () => page([]),
  'GET /v1/me/sessions/active': () => ({ status: 200, body: [] }),
  'POST /v1/waitlist': (asked) => {
    const { instance } = asked.frontend;
    const email = asked.form.get('email_address')?.toLowerCase() ?? '';
    instance.joinWaitlist(email);
    const entry = [...instance.state.waitlist.values()].find((one) => one.email === email);
    return changed(asked, entry && waitlistObject(entry));
  },
  'GET /v1/billing/plans': () => plansAnswer(planObjects()),
};

function attemptPassword(asked: Asked): ReceivedAnswer {
  const { signIn } = asked.client;
  if (!signIn) return refuse(404, 'not_found', 'No sign in');
  if (signIn.user.isBanned) return refuse(403, 'user_banned', 'Your account is banned.');
  if (signIn.user.password === null || asked.form.get('password') !== signIn.user.password)
    return wrong(
      'form_password_incorrect',
      'Password is incorrect. Try again, or use another method.',
      'password',
    );
  if (signIn.user.code === null) return complete(asked, false);
  signIn.status = 'needs_second_factor';
  return changed(asked, signInObject(signIn));
}

function complete(asked: Asked, secondFactor: boolean): ReceivedAnswer {
  const { client, frontend } = asked;
  const { signIn } = client;
  if (!signIn) return refuse(404, 'not_found', 'No sign in');
  const session = frontend.instance.openSession(signIn.user.id, { clientId: client.id, secondFactor });
  signIn.status = COMPLETE;
  signIn.sessionId = session.id;
  return changed(asked, signInObject(signIn));
}

function verification(asked: Asked, level: string, status: string): ReceivedAnswer {
  const session = ownSession(asked);
  const user = session && asked.frontend.instance.state.users.get(session.userId);
  if (!session || !user) return refuse(401, 'authentication_invalid', 'Signed out');
  return changed(asked, verificationObject(sessionOf(asked, session), { level, status, user }));
}

function removeSessions(asked: Asked): ReceivedAnswer {
  for (const { id } of activeOf(asked)) asked.frontend.instance.endSession(id, 'removed');
  asked.client.signIn = null;
  return changed(asked, clientOf(asked));
}
