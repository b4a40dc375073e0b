import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';
import type { Found } from './search-query.ts';

const SEARCH = 'GET /api/search';
const found = (over: Partial<Found>): Found => ({
  kind: 'trader',
  id: idOf(1),
  title: 'KAIT-100143',
  note: 'Maria · Blue Harbor',
  amount: null,
  status: null,
  at: null,
  is_exact: false,
  ...over,
});
const EVERYTHING: Found[] = [
  found({ is_exact: true, amount: '319.2' }),
  found({ id: idOf(2), title: 'KAIT-100144', note: null }),
  found({ kind: 'community', id: idOf(3), title: 'ליל 12' }),
  found({ kind: 'provider', id: idOf(4), title: 'Aurora Signals', note: 'aurora' }),
  found({ kind: 'pool', id: idOf(5), title: 'Blue Harbor', note: 'Inactive' }),
  found({ kind: 'invoice', id: idOf(6), amount: '312.5', status: 'paid', at: '2026-11-03T10:00:00.000Z' }),
  found({
    kind: 'payout',
    id: idOf(7),
    title: `0x${'ab'.repeat(20)}`,
    amount: '12',
    status: 'failed',
    at: '2026-11-04T10:00:00.000Z',
  }),
  found({ kind: 'person', id: idOf(8), title: 'Ada Berg', note: 'ada@example.com' }),
  found({ kind: 'bot', id: idOf(9), title: '@harbor_bot', note: 'Blue Harbor' }),
  found({ kind: 'order', id: idOf(10), title: 'Ada Berg', amount: '49', status: 'pending' }),
];
const answering = (data: Found[]) => ({ ...READS_UNDER_WAY, [SEARCH]: { success: true as const, data } });

const palette = page.getByRole('dialog', { name: 'Search or jump to' });
const field = palette.getByRole('combobox');
const options = () => palette.getByRole('option').elements();
const press = () => userEvent.keyboard('{Control>}k{/Control}');
const open = async () => {
  await page.getByRole('button', { name: 'Search or jump to' }).click();
  await expect.element(field).toHaveFocus();
};

beforeEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [SUPER_ADMIN, 1],
  [STAFF, 0],
])('the recipients are a place of super admins alone', async (user, count) => {
  await showScreen('/communities', { user, answers: answering([]) });
  await open();
  await field.fill('recip');
  await expect.element(palette.getByRole('option', { name: /Traders with/ })).toBeVisible();
  expect(palette.getByRole('option', { name: 'Recipients' }).elements()).toHaveLength(count);
});

test('Ctrl+K opens one search on every screen, which says of everything what it is', async () => {
  const { server } = await showScreen('/communities', { user: SUPER_ADMIN, answers: answering(EVERYTHING) });
  await open();
  await expectAccessible();
  await press();
  await expect.element(palette).not.toBeInTheDocument();
  await press();
  await expect.element(field).toHaveFocus();
  await field.fill(' @KAIT-1001\u200b43 ');
  await expect.element(palette.getByText('Exactly this')).toBeVisible();
  expect(options()[0]?.textContent).toBe('KAIT-100143Maria · Blue Harborowes 319.20 USDT');
  await expect.element(palette.getByText('Nov 3, 2026')).toBeVisible();
  await expect.element(palette).toHaveTextContent(/Paid312\.50 USDT/);
  await expect.element(palette).toHaveTextContent(/0xabab…abab.*Failed12\.00 USDT/);
  await expectAccessible();
  // What pasting adds is gone, and no letter on the way was asked for.
  expect(server.sentTo(SEARCH).map(({ query }) => query?.q)).toEqual(['KAIT-100143']);
  await userEvent.keyboard('{Escape}');
  await expect.element(palette).not.toBeInTheDocument();
});

test.each([
  ['trader', SUPER_ADMIN, `/trader/${idOf(2)}`],
  ['community', SUPER_ADMIN, `/community-settings/${idOf(3)}`],
  ['community', STAFF, `/?community=${idOf(3)}`],
  ['provider', SUPER_ADMIN, `/providers/${idOf(4)}`],
  ['pool', SUPER_ADMIN, `/pools/${idOf(5)}`],
  ['invoice', SUPER_ADMIN, `/invoices/${idOf(6)}`],
  ['payout', SUPER_ADMIN, `/transaction-history?payout=${idOf(7)}`],
  ['person', SUPER_ADMIN, `/people/${idOf(8)}`],
  ['bot', SUPER_ADMIN, `/community-settings/${idOf(9)}/bot`],
  ['order', SUPER_ADMIN, `/bots/orders/${idOf(10)}`],
] as const)('a %s leads to where it is shown', async (kind, user, to) => {
  const wanted = EVERYTHING.filter((each) => each.kind === kind && !each.is_exact);
  const { address } = await showScreen('/communities', { user, answers: answering(wanted) });
  await open();
  await field.fill('anything');
  await expect.poll(() => options().length).toBe(3);
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe(to);
  await expect.element(palette).not.toBeInTheDocument();
  // It is there again without a word, and says nothing that may have changed.
  await open();
  await expect.element(palette.getByText('Found lately')).toBeVisible();
  expect(options()[0]?.textContent).not.toMatch(/USDT|Paid|Failed/);
});

test('places of the console and searches of lists are there without an answer, by keyboard', async () => {
  const { address } = await showScreen('/communities', {
    user: STAFF,
    answers: { ...READS_UNDER_WAY, [SEARCH]: refuse(500, 'internal_error', 'Broken') },
  });
  await page.getByRole('button', { name: 'Search or jump to' }).click();
  await expect.element(palette.getByRole('option', { name: 'Pools' })).toBeVisible();
  expect(palette.getByRole('option', { name: 'Audit' }).elements()).toEqual([]);
  await field.fill('inv');
  await expect.element(palette.getByRole('status')).toHaveTextContent('Broken');
  expect(options().map((each) => each.textContent)).toEqual([
    'Invoices',
    'Traders with inv',
    'Invoices of inv',
  ]);
  await expectAccessible();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(address).toBe('/?search=inv');
});

test('Enter right after a paste leads to what was pasted, not to what the text before had found', async () => {
  const { address } = await showScreen('/communities', {
    user: SUPER_ADMIN,
    answers: {
      ...READS_UNDER_WAY,
      [SEARCH]: ({ query }) =>
        query?.q === 'first'
          ? { success: true, data: EVERYTHING }
          : new Promise(() => {
              // Still under way.
            }),
    },
  });
  await open();
  await field.fill('first');
  await expect.element(palette.getByText('Exactly this')).toBeVisible();
  await field.fill('second');
  await expect.element(palette.getByRole('status')).toHaveTextContent('Searching');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/?search=second');
});

test('what people went to by key while the search is under way stays chosen, and is opened', async () => {
  const answer = Promise.withResolvers<void>();
  const { address } = await showScreen('/communities', {
    user: SUPER_ADMIN,
    answers: {
      ...READS_UNDER_WAY,
      [SEARCH]: async () => {
        await answer.promise;
        return { success: true, data: EVERYTHING };
      },
    },
  });
  await open();
  await field.fill('invo');
  await expect.element(palette.getByRole('status')).toHaveTextContent('Searching');
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(palette.getByRole('option', { selected: true })).toHaveTextContent('Invoices of invo');
  answer.resolve();
  await expect.element(palette.getByText('Exactly this')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/invoices?search=invo');
});

test('what is not there is said, and a form keeps the key', async () => {
  await showScreen('/preferences', { user: STAFF, answers: answering([]) });
  await open();
  await field.fill('no such thing');
  await expect.element(palette.getByRole('status')).toHaveTextContent('Nothing that you may see');
  await press();
  await expect.element(palette).not.toBeInTheDocument();
  await userEvent.keyboard('?');
  await expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await press();
  await expect.element(palette).not.toBeInTheDocument();
});

test('a setting is found by its name, by super admins, and shown where it stands', async () => {
  const { address, unmount } = await showScreen('/communities', {
    user: SUPER_ADMIN,
    answers: answering([]),
  });
  await open();
  // Not before a part of its name is typed.
  expect(palette.getByRole('option', { name: /^Setting:/ }).elements()).toEqual([]);
  await field.fill('smallest pay');
  await expect.poll(() => options()[0]?.textContent).toBe('Setting: Smallest payout');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/settings#setting-minimum_payout_usdt');
  await unmount();
  await showScreen('/communities', { user: STAFF, answers: answering([]) });
  await open();
  await field.fill('smallest pay');
  await expect.element(palette.getByText(/^Nothing that you may see/)).toBeVisible();
  expect(palette.getByRole('option', { name: /^Setting:/ }).elements()).toEqual([]);
});

const offered = (name: string) => palette.getByRole('option', { name });

test('what can be done on the screen is there by name, and done as by its button', async () => {
  await showScreen('/people', { user: SUPER_ADMIN, answers: answering([]) });
  const button = page.getByRole('button', { name: 'Stop all payments' });
  await expect.element(button).toBeVisible();
  await open();
  await field.fill('stop all');
  await expect.element(offered('Stop all payments')).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard('{Enter}');
  await expect.element(palette).not.toBeInTheDocument();
  const dialog = page.getByRole('dialog', { name: 'Stop all payments' });
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveFocus();
});

test.each([
  [SUPER_ADMIN, 1],
  [STAFF, 0],
])('only what its reader may do is offered', async (user, n) => {
  await showScreen('/invoices', { user, answers: answering([]) });
  await expect.element(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible();
  await open();
  await field.fill('run inv');
  await expect.element(palette.getByText(/^Nothing that you may see/)).toBeVisible();
  expect(offered('Run invoicing').elements()).toHaveLength(n);
});
