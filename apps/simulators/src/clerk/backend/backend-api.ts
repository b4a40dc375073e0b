import type { ReceivedAnswer, VenueRequest } from '../../venues/venue.ts';
import type { ClerkInstance } from '../instance.ts';
import { invitationObject, waitlistObject } from '../objects/access.ts';
import { sessionObject } from '../objects/session.ts';
import { membershipObject, userObject } from '../objects/user.ts';

interface Asked {
  id: string;
  params: URLSearchParams;
  body: Record<string, unknown>;
  instance: ClerkInstance;
}

export const refuse = (status: number, code: string, message: string): ReceivedAnswer => ({
  status,
  body: { errors: [{ code, message, long_message: message, meta: {} }], clerk_trace_id: 'simulated' },
});
const found = (body: unknown): ReceivedAnswer => ({ status: 200, body });
const missing = (): ReceivedAnswer => refuse(404, 'resource_not_found', 'Resource not found');

/** A page of a list, as `limit` and `offset` ask. */
function page(params: URLSearchParams, all: readonly unknown[]): ReceivedAnswer {
  const offset = Number(params.get('offset') ?? 0);
  const data = all.slice(offset, offset + Number(params.get('limit') ?? 10));
  return found({ data, total_count: all.length });
}

const ID = /\/((?:user|sess|inv|wle)_\w+)/;

/** Answers a call of the Backend API (clerk.com/docs/reference/backend-api), as far as the product uses it. */
export function answerBackend(
  { method, path, params, body, headers }: VenueRequest,
  { instance, secretKey }: { instance: ClerkInstance; secretKey: string },
): ReceivedAnswer {
  if (headers.authorization !== `Bearer ${secretKey}`)
    return refuse(401, 'clerk_key_invalid', 'The provided Clerk Secret Key is invalid.');
  const id = ID.exec(path)?.[1] ?? '';
  const call = CALLS[`${method} ${path.replace(/^\/v1/, '').replace(ID, '/{id}')}`];
  if (!call) return refuse(404, 'not_found', `${method} ${path} is not simulated`);
  return call({ id, params, body: body === '' ? {} : JSON.parse(body), instance });
}

/** Users of these ids, at most 100; all, when none is named. */
function usersOf({ params, instance: { state } }: Asked) {
  const wanted = params.getAll('user_id');
  if (wanted.length > 100) return null;
  const all = [...state.users.values()];
  return wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id));
}

const CALLS: Record<string, (asked: Asked) => ReceivedAnswer> = {
  // Not in an envelope, unlike other lists.
  'GET /users': (asked) => {
    const users = usersOf(asked);
    if (users === null) return refuse(422, 'form_param_max_length_exceeded', 'Too many ids');
    const limit = Number(asked.params.get('limit') ?? 10);
    return found(users.slice(0, limit).map(userObject));
  },
  'GET /users/count': (asked) => found({ object: 'total_count', total_count: usersOf(asked)?.length ?? 0 }),
  'GET /users/{id}': ({ id, instance: { state } }) => {
    const user = state.users.get(id);
    return user ? found(userObject(user)) : missing();
  },
  'GET /users/{id}/organization_memberships': ({ id, params, instance: { state } }) => {
    if (!state.users.has(id)) return missing();
    const own = [...state.memberships.values()].filter(({ userId }) => userId === id);
    return page(
      params,
      own.map((one) => membershipObject(state, one)),
    );
  },
  'DELETE /users/{id}/mfa': ({ id, instance }) => {
    if (!instance.state.users.has(id)) return missing();
    instance.changeUser(id, { code: null });
    return found({ user_id: id });
  },
  'GET /sessions': ({ params, instance: { state } }) => {
    const own = [...state.sessions.values()].filter(
      ({ userId, status }) =>
        userId === params.get('user_id') && (!params.has('status') || status === params.get('status')),
    );
    return page(params, own.map(sessionObject));
  },
  'POST /sessions/{id}/revoke': ({ id, instance }) => {
    const session = instance.state.sessions.get(id);
    if (!session) return missing();
    instance.endSession(id, 'revoked');
    return found(sessionObject(session));
  },
  'POST /invitations': ({ body, instance }) => {
    const email = String(body.email_address ?? '');
    if (!/^\S+@\S+$/.test(email)) return refuse(422, 'form_param_format_invalid', 'is invalid');
    const invitation = {
      id: instance.id('inv'),
      email,
      metadata: (body.public_metadata ?? {}) as Record<string, unknown>,
      status: 'pending' as const,
      createdAt: instance.now(),
    };
    instance.state.invitations.set(invitation.id, invitation);
    return found(invitationObject(invitation));
  },
  'GET /waitlist_entries': ({ params, instance: { state } }) => {
    const status = params.get('status');
    const entries = [...state.waitlist.values()].filter((one) => status === null || one.status === status);
    return page(params, entries.toSorted((a, b) => a.createdAt - b.createdAt).map(waitlistObject));
  },
};
