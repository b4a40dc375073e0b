import { noticeEndOfOrganization, withOrganization } from '../organization.ts';
import { isOwnCall, noticeEndOfView, withViewedUser } from '../view-as.ts';

/** A request as this tab has chosen: with whose eyes, and in which provider. */
export const sendAsChosen: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  if (!isOwnCall(String(input))) withOrganization(withViewedUser(headers));
  const response = await fetch(input, { ...init, headers });
  return noticeEndOfOrganization(await noticeEndOfView(response));
};
