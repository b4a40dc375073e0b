// Staff of several providers may work in one of them: requests carry its id, and the server answers as if there were no
// other. The choice lasts for this tab, across reloads.
const KEY = 'copydesk.organization';
const HEADER = 'x-organization';

/** The id of the provider in which this tab works; null: all. Programs have no session storage. */
export const chosenOrganization = () => globalThis.sessionStorage?.getItem(KEY) ?? null;

/** Works in this provider from now on, or in all. Everything on screen belongs to the choice before. */
export function workIn(providerId: string | null, path: string): void {
  if (providerId === null) forgetOrganization();
  else sessionStorage.setItem(KEY, providerId);
  window.location.assign(path);
}

/** Forgets the choice, as when the person who made it signs out. */
export function forgetOrganization(): void {
  globalThis.sessionStorage?.removeItem(KEY);
}

/** Adds the provider to the headers of a request. */
export function withOrganization(headers: Headers): Headers {
  const providerId = chosenOrganization();
  if (providerId !== null) headers.set(HEADER, providerId);
  return headers;
}
