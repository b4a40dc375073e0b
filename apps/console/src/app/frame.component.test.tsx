import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SignedInUser } from '../features/identity/identity.ts';
import { expectAccessible } from '../testing/expect-accessible.ts';
import { refuse } from '../testing/serve-calls.ts';
import { showAccount } from '../testing/show-account.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../testing/show-screen.tsx';

const [first, second, third] = ['Aurora Signals', 'Meridian Capital', 'Northlight'].map((name, index) => ({
  id: idOf(900 + index),
  name,
})) as [Organization, Organization, Organization];
type Organization = SignedInUser['organizations'][number];
const staffOf = (...organizations: Organization[]): SignedInUser => ({
  ...STAFF,
  providers: organizations.map((each) => ({ ...each, role: 'owner' })),
  organizations,
});
const THREE = staffOf(first, second, third);
const NO_ACCESS = staffOf();

const open = (path: string, user: SignedInUser, shown = {}) =>
  showScreen(path, { user, answers: READS_UNDER_WAY, ...shown });
const switcher = page.getByRole('button', { name: /^Provider: / });
const textsOf = (elements: readonly Element[]) => elements.map((each) => each.textContent);

beforeEach(() => {
  vi.restoreAllMocks();
});

test('an unknown path leads to the Traders list', async () => {
  const { address } = await open('/no/such/screen?x=1', SUPER_ADMIN);
  await expect.element(page.getByRole('heading', { name: 'Traders', level: 1 })).toBeVisible();
  expect(address()).toBe('/');
});

test.each([
  ['Super Admin', SUPER_ADMIN],
  ['Aurora Signals', staffOf(first)],
  ['3 Providers', THREE],
] as const)('who is "%s" sees that, and the screens there are', async (badge, user) => {
  await open('/communities', user);
  const bar = page.getByRole('banner');
  // The link to the dashboard has the same words.
  const shown = () => [...bar.element().querySelectorAll('span')].filter((span) => span.checkVisibility());
  await expect.poll(() => textsOf(shown())).toContain(badge);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').getByRole('link');
  const superOnly = (...labels: string[]) => (user.super ? labels : []);
  expect(textsOf(links.elements())).toEqual([
    'Overview',
    'Attention',
    'Traders',
    'Communities',
    ...superOnly('Providers'),
    'Accounts',
    'Pools',
    'Invoices',
    ...superOnly('To pay out'),
    'Transaction History',
    'Messages',
    ...superOnly('Bots', 'Subscriptions'),
    ...superOnly('Super Admin', 'People', 'Roles', 'Tokens', 'Settings', 'Audit'),
  ]);
  // The screen itself is loaded by then.
  await expect.element(page.getByRole('heading', { name: 'Communities', level: 1 })).toBeVisible();
  await expectAccessible();
});

test('an admin without providers sees why on every screen, and no screen asks for anything', async () => {
  for (const path of [
    '/',
    '/transaction-history',
    '/super-admin',
    `/trader/${idOf(1)}`,
    `/pools/${idOf(1)}`,
  ]) {
    const { server, unmount } = await open(path, NO_ACCESS);
    const banner = page.getByRole('alert');
    await expect.element(banner.getByRole('heading')).toHaveTextContent(/^No Provider Access$/);
    await expect
      .element(banner.getByRole('paragraph'))
      .toHaveTextContent(
        /^You don't have access to any providers\. Please contact an administrator to grant you access\.$/,
      );
    expect(
      page
        .getByRole('banner')
        .getByText(/Provider|Super/)
        .elements(),
    ).toEqual([]);
    await new Promise(requestAnimationFrame);
    expect(
      server.sentKeys().filter((key) => key !== 'GET /api/users/{id}/communities'),
      path,
    ).toEqual([]);
    await unmount();
  }
});

test.each([
  ['super admins', SUPER_ADMIN],
  ['staff of one provider', staffOf(first)],
  ['an admin without providers', NO_ACCESS],
] as const)('%s have no provider to choose', async (_, user) => {
  await showAccount('/communities', { person: user });
  await expect.element(page.getByRole('button', { name: /account of/ })).toBeVisible();
  expect(switcher.elements()).toEqual([]);
});

test('staff of several providers choose from all of them, also within the menu of a phone', async () => {
  await open('/communities', { ...THREE, organization: first.id });
  await page.getByRole('button', { name: 'Provider: Aurora Signals' }).click();
  const choices = page.getByRole('menuitemradio');
  await expect.element(choices.first()).toBeVisible();
  expect(textsOf(choices.elements())).toEqual(['All providers', first.name, second.name, third.name]);
  await expect.element(page.getByRole('menuitemradio', { name: first.name })).toBeChecked();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expectAccessible();
  await page.viewport(390, 844);
  await page.getByRole('button', { name: 'Open menu' }).click();
  const choice = page.getByRole('region', { name: 'Provider' });
  await expect.element(choice.getByRole('button', { pressed: true })).toHaveTextContent(first.name);
  expect(choice.getByRole('button').elements()).toHaveLength(4);
});

test('the access check asks for the communities of the person, and goes on without them', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { server } = await open('/communities', SUPER_ADMIN, {
    answers: { ...READS_UNDER_WAY, 'GET /api/users/{id}/communities': refuse(500, 'internal_error', 'x') },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => logged.mock.calls.length).toBe(1);
  expect(logged.mock.calls[0]?.[0]).toBe('The communities of this account could not be read.');
  expect(server.sentTo('GET /api/users/{id}/communities')).toMatchObject([
    { params: { id: SUPER_ADMIN.id } },
  ]);
  expect(page.getByRole('alert').elements()).toEqual([]);
});

test('the user menu names the person and works by keyboard', async () => {
  await showAccount('/communities', { person: { ...SUPER_ADMIN, two_factor_enabled: false } });
  const opener = page.getByRole('button', { name: /account of Super Admin/ });
  await expect.element(opener).toBeVisible();
  (opener.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const menu = page.getByRole('menu');
  await expect.element(menu).toHaveTextContent('super@example.com');
  expect(textsOf(menu.getByRole('menuitem').elements())).toEqual([
    'Your exports',
    'Your bulk acts',
    'Profile',
    'Your settings',
    'Two-factor authenticationOff',
    'Sign out',
  ]);
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('two-factor authentication asks for the password first, and Escape leaves it as it was', async () => {
  await showAccount('/communities', { person: { ...SUPER_ADMIN, two_factor_enabled: false } });
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: /Two-factor/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Two-factor authentication' });
  await expect.element(dialog.getByLabelText('Password')).toHaveFocus();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect.element(dialog.getByText('Required')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the first stop of the Tab key skips to the content', async () => {
  await open('/communities', SUPER_ADMIN);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  (document.activeElement as HTMLElement | null)?.blur();
  await userEvent.keyboard('{Tab}');
  const skip = page.getByRole('button', { name: 'Skip to content' });
  await expect.element(skip).toHaveFocus();
  await expect.element(skip).toBeInViewport();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('the rail folds to its icons, whose links keep their names, and stays so', async () => {
  const { unmount } = await open('/communities', SUPER_ADMIN);
  const words = page.getByText('Transaction History', { exact: true });
  const link = page.getByRole('link', { name: 'Transaction History', exact: true });
  const width = () => document.querySelector('nav')?.offsetWidth;
  expect(width()).toBe(224);
  await page.getByRole('button', { name: 'Fold the navigation' }).click();
  await expect.poll(width).toBe(56);
  expect(words.element().getBoundingClientRect().width).toBe(1);
  await expect.element(link).toHaveAttribute('title', 'Transaction History');
  await expectAccessible();
  await unmount();
  await open('/communities', SUPER_ADMIN);
  await expect.poll(width).toBe(56);
  await page.getByRole('button', { name: 'Unfold the navigation' }).click();
  await expect.poll(width).toBe(224);
});

test('at phone width the menu opens, closes with Escape, and leads on', async () => {
  const { address } = await open('/transaction-history', SUPER_ADMIN, { width: 390, height: 844 });
  const link = page.getByRole('link', { name: 'Communities', exact: true });
  const opener = page.getByRole('button', { name: 'Open menu' });
  await expect.element(page.getByRole('banner').getByText('UTC', { exact: true })).toBeVisible();
  await expect.element(opener).toBeVisible();
  expect(link.elements()).toEqual([]);
  await opener.click();
  await expectAccessible();
  await page.viewport(390, 844);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => link.elements()).toEqual([]);
  await expect.element(opener).toHaveFocus();
  await opener.click();
  await page.getByRole('button', { name: 'Close menu' }).click();
  await expect.poll(() => link.elements()).toEqual([]);
  await opener.click();
  await link.click();
  await expect.poll(address).toBe('/communities');
  await expect.poll(() => link.elements()).toEqual([]);
  expect(document.documentElement.scrollWidth).toBe(390);
});
