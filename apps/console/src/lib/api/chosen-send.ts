import { noteReadPosition } from '../live/read-position.ts';
import { chosenOrganization, withOrganization, workIn } from '../organization.ts';
import { isOwnCall, viewAs, viewedUser, withViewedUser } from '../view-as.ts';

/** A request as this tab has chosen: with whose eyes, and in which provider. */
export const sendAsChosen: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  if (!isOwnCall(String(input))) withOrganization(withViewedUser(headers));
  const response = await fetch(input, { ...init, headers });
  noteReadPosition(response.headers);
  if (response.status === 403) await noticeEnd(response);
  return response;
};

/** Goes back to one's own eyes, or to all providers, when the server says that this was the end of what is chosen. */
async function noticeEnd(response: Response): Promise<void> {
  const [user, organization] = [viewedUser(), chosenOrganization()];
  if (user === null && organization === null) return;
  const { error } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { error?: string };
  if (user !== null && error === 'view_as_ended') viewAs(null, '/people');
  if (organization !== null && error === 'organization_ended') workIn(null, '/');
}
