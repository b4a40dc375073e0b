import { forgetOrganization } from './organization.ts';

// A super admin may look with the eyes of another user: reads carry that user's id, and the server refuses changes. The
// choice lasts for this tab, across reloads.
const KEY = 'copydesk.view-as';
const HEADER = 'x-view-as';
/** The one call that ends a view is the viewer's own. */
const END = '/api/view-as';

/** The id of the user with whose eyes this tab reads; null: the person's own. Programs have no session storage. */
export const viewedUser = () => globalThis.sessionStorage?.getItem(KEY) ?? null;

/** Reads with the eyes of this user from now on, or with one's own. Everything on screen belongs to the eyes before. */
export function viewAs(userId: string | null, path: string): void {
  if (userId === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, userId);
  forgetOrganization();
  window.location.assign(path);
}

/** Forgets the view with the session: whoever signs in next in this tab has eyes of their own. */
export function endOwnView(): void {
  globalThis.sessionStorage?.removeItem(KEY);
}

/** Whether a call is the viewer's own, whatever this tab has chosen. */
export const isOwnCall = (url: string) => url === END;

/** Adds the user to the headers of a request. */
export function withViewedUser(headers: Headers): Headers {
  const userId = viewedUser();
  if (userId !== null) headers.set(HEADER, userId);
  return headers;
}
