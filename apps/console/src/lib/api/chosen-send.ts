import { LOG_HEADER, logPosition, noteReadPosition } from '../live/read-position.ts';
import { chosenOrganization, withOrganization, workIn } from '../organization.ts';
import { isOwnCall, viewAs, viewedUser, withViewedUser } from '../view-as.ts';

/** Sends a request with this tab's choices: the person viewed as, and the provider. */
export const sendAsChosen: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  const sent = logPosition;
  if (sent) headers.set(LOG_HEADER, sent);
  if (!isOwnCall(String(input))) withOrganization(withViewedUser(headers));
  const response = await fetch(input, { ...init, headers });
  noteReadPosition(response.headers, sent);
  if (response.status === 403) await noticeEnd(response);
  return response;
};

/** Returns to the person's own view, or to all providers, when the server says that the choice has ended. */
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
