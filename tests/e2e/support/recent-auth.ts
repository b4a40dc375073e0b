import type { Page, Request, Route } from '@playwright/test';

const REFUSAL = {
  status: 403,
  json: {
    success: false,
    error: 'reauthentication_required',
    message:
      'Confirm that it is you: sign in again or call POST /api/reauthenticate, then repeat this request',
  },
};

/**
 * Has calls refused as by a server that was last proven ten minutes ago, until a request comes with another token than
 * the first. What comes then goes on to the server.
 * @returns the requests that came
 */
export async function letRecentAuthAge(page: Page, url: string | RegExp): Promise<Request[]> {
  const sent: Request[] = [];
  let old: string | undefined;
  await page.route(url, (route: Route) => {
    const request = route.request();
    const token = request.headers().authorization;
    if (request.method() === 'GET') return route.continue();
    old ??= token;
    sent.push(request);
    return token === old ? route.fulfill(REFUSAL) : route.continue();
  });
  return sent;
}

/** The question, and what is in it. */
export function recentAuthDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  return { dialog, button: (name: string) => dialog.getByRole('button', { name, exact: true }) };
}
