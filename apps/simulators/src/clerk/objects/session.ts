import type { Session } from '../clerk-state.ts';

const WEEK_MS = 7 * 86_400_000;

/** A session, as in the Backend API and in webhooks. */
export const sessionObject = (it: Session) => ({
  object: 'session',
  id: it.id,
  client_id: it.clientId,
  user_id: it.userId,
  status: it.status,
  actor: null,
  last_active_organization_id: it.organizationId,
  last_active_at: it.createdAt,
  expire_at: it.createdAt + WEEK_MS,
  abandon_at: it.createdAt + 4 * WEEK_MS,
  created_at: it.createdAt,
  updated_at: it.createdAt,
});
