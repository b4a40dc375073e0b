import { forgetOrganization } from './organization.ts';

// A super admin may view as another user: reads carry that user's id, and the server refuses changes. The
// choice lasts for this tab, across reloads.
const KEY = 'copydesk.view-as';
const HEADER = 'x-view-as';
/** The one call that ends a view is the viewer's own. */
const END = '/api/view-as';

/**
 * The id of the user that this tab views as; null: the person's own view. Programs have no session storage.
 */
export const viewedUser = () => globalThis.sessionStorage?.getItem(KEY) ?? null;

/** Views as this user from now on, or as oneself. Everything on screen belongs to the view before. */
export function viewAs(userId: string | null, path: string): void {
  if (userId === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, userId);
  forgetOrganization();
  window.location.assign(path);
}

/** Forgets the view with the session: the next person to sign in in this tab has a view of their own. */
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
