import type { Page, Request } from '@playwright/test';
import type { HostedProduct } from './support/hosted-product.ts';
import { expect, heading, sessionOf, signIn, test } from './support/hosted-test.ts';

const providersOf = async ({ clerk, url }: HostedProduct) => {
  const { id } = clerk.instance.addUser({
    email: `reads-${Date.now()}@people.example`,
    metadata: { super: true },
  });
  const session = clerk.instance.openSession(id, { secondFactor: true });
  const headers = { authorization: `Bearer ${clerk.token(session.id, url)}` };
  const answer = await fetch(`${url}/api/providers`, { headers });
  return ((await answer.json()) as { data: { id: string; display_name: string }[] }).data;
};

/** What a call of the API said about the place of work: in our header, and in the token of the service. */
function placeOf(request: Request) {
  const { authorization = '', 'x-organization': header = null } = request.headers();
  const payload = JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
  return { header, organization: payload.o?.id ?? null };
}
const nextTraders = (page: Page) =>
  page.waitForRequest((request) => new URL(request.url()).pathname === '/api/traders');
const switcher = (page: Page, name: string) => page.getByRole('button', { name: `Provider: ${name}` });
async function workIn(page: Page, from: string, to: string) {
  await switcher(page, from).click();
  const asked = nextTraders(page);
  await page.getByRole('menuitemradio', { name: to }).click();
  await expect(switcher(page, to)).toBeVisible();
  return placeOf(await asked);
}

test('working in a provider is working in its organisation at the service, in each tab on its own', async ({
  page,
  context,
  world,
}) => {
  const { instance } = world.clerk;
  const [first, second, third] = await providersOf(world);
  if (!first || !second || !third) throw new Error('The demo world has three providers at least.');
  const [own, other] = [first, second].map(({ id, display_name }) =>
    instance.addOrganization(display_name, { provider_id: id }),
  ) as [string, string];
  const person = world.person({ admin: true, providerAccess: [third.id] });
  const memberships = [own, other].map((organization) => instance.join(organization, person.id));
  await signIn(page, world, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  const all = 'All providers';
  expect(await workIn(page, all, first.display_name)).toEqual({ header: first.id, organization: own });
  // Others that read the session there see the same.
  expect(sessionOf(world, person.id).organizationId).toBe(own);

  const tab = await context.newPage();
  const asked = nextTraders(tab);
  await tab.goto(world.url);
  expect(placeOf(await asked)).toEqual({ header: null, organization: null });
  expect(await workIn(tab, all, second.display_name)).toEqual({ header: second.id, organization: other });
  // Access that was given here alone has no organisation there.
  expect(await workIn(tab, second.display_name, third.display_name)).toEqual({
    header: third.id,
    organization: null,
  });
  const again = nextTraders(page);
  await page.reload();
  expect(placeOf(await again)).toEqual({ header: first.id, organization: own });
  await expect(switcher(page, first.display_name)).toBeVisible();

  instance.leave(memberships[0]?.id ?? '');
  // The membership gave the access, so both end, and the tab works in what is left.
  await expect(switcher(page, all)).toBeVisible({ timeout: 30_000 });
  await expect(switcher(tab, third.display_name)).toBeVisible();
});

test('a super admin works in everything, whatever organisation the service has chosen', async ({
  page,
  world,
}) => {
  const { instance } = world.clerk;
  const [first] = await providersOf(world);
  const organization = instance.addOrganization('Chosen', { provider_id: first?.id });
  const person = world.person({ super: true });
  instance.join(organization, person.id);
  await signIn(page, world, person);
  await expect(heading(page, 'Traders')).toBeVisible();
  sessionOf(world, person.id).organizationId = organization;
  const asked = nextTraders(page);
  await page.reload();
  expect(placeOf(await asked)).toEqual({ header: null, organization: null });
  await expect(page.getByRole('button', { name: /account of/ })).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});
