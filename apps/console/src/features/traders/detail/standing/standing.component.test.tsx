import { contract } from '@copydesk/contract';
import type { Trader } from '@copydesk/contract/traders';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../../../app/query-client.ts';
import { expectAccessible } from '../../../../testing/expect-accessible.ts';
import { type Answers, never } from '../../../../testing/serve-calls.ts';
import { toastOf } from '../../../../testing/show-community.ts';
import { idOf, STAFF } from '../../../../testing/show-screen.tsx';
import { showTrader, traderOf } from '../../../../testing/show-trader.ts';

type Standing = NonNullable<Trader['standing']>;
const NOTIFY = 'POST /api/invoices/trader/{id}/notify';
const GET = 'GET /api/traders/{id}';
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 60_000).toISOString();
const standingOf = (changes: Partial<Standing> = {}): Standing => ({
  owed_amount: '319.2',
  owed_count: 6,
  oldest_owed_at: daysAgo(258),
  pool_count: 0,
  failed_messages: 0,
  last_failure: null,
  ...changes,
});
const NOTHING = standingOf({ owed_amount: '0', owed_count: 0, oldest_owed_at: null });

/** What the list of invoices asks for beside. */
const LIST = Object.fromEntries(
  Object.keys(contract)
    .filter((key) => /^GET \/api\/(invoices|payments|deposits|saved-views)/.test(key))
    .map((key) => [key, never]),
) as Answers;

/** The paragraph below the title. */
const line = page.getByRole('main').getByText(/AUM (\$|not)/);
const words = async () => {
  await expect.element(line).toBeVisible();
  return line.element().closest('p')?.textContent;
};
const link = (name: string) => page.getByRole('link', { name, exact: true });
const act = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog');

test('the line says what is owed, what failed and what there is, and leads to exactly that', async () => {
  const standing = standingOf({
    failed_messages: 1,
    last_failure: { problem: 'blocked', invoice_id: idOf(31) },
  });
  const { address } = await showTrader(
    { standing, aum: 12_345.6, aum_pool_capital: '2345.6', telegram_user_id: '4711' },
    { answers: LIST },
  );
  expect(await words()).toBe(
    'Owes 319.20 USDT, 6 invoices, oldest 258 days; 1 message failed; AUM $12,346 (accounts $10,000, pools $2,346)',
  );
  await expectAccessible();
  const failed = link('1 message failed').element() as HTMLAnchorElement;
  expect([failed.getAttribute('href'), failed.title]).toEqual([
    `/invoices/${idOf(31)}`,
    'The trader has blocked the bot.',
  ]);
  await link('Owes 319.20 USDT, 6 invoices').click();
  await expect.poll(address).toContain('/invoices?');
  const query = new URLSearchParams(address().split('?')[1]);
  expect(Object.fromEntries(query)).toEqual({ trader: idOf(1), status: 'pending', type: 'regular' });
});

test('the list that the line leads to asks for this trader alone, and says so', async () => {
  const { server } = await showTrader(
    { standing: standingOf({ owed_count: 1, oldest_owed_at: daysAgo(1) }) },
    { answers: LIST },
  );
  expect(await words()).toBe('Owes 319.20 USDT, 1 invoice, 1 day old; AUM $2,000');
  await link('Owes 319.20 USDT, 1 invoice').click();
  await expect
    .poll(() => server.sentTo('GET /api/invoices/admin/groups')[0]?.query)
    .toMatchObject({ trader_id: idOf(1), status: 'pending', invoice_type: 'regular' });
  await expect.element(page.getByRole('button', { name: /^Remove filter Trader / })).toBeVisible();
});

test.each([
  [NOTHING, {}, 'Owes nothing; AUM $2,000'],
  [NOTHING, { aum: null, aum_read_at: null }, 'Owes nothing; AUM not calculated'],
  [undefined, {}, 'AUM $2,000'],
  [NOTHING, { aum_is_part: true }, 'Owes nothing; AUM $2,000 your part'],
  [
    standingOf({
      oldest_owed_at: daysAgo(0),
      failed_messages: 3,
      last_failure: { problem: 'refused', invoice_id: null },
    }),
    {},
    'Owes 319.20 USDT, 6 invoices, oldest less than a day; 3 messages failed (Telegram rejected the message); AUM $2,000',
  ],
] as const)(
  'what there is not is said, and what the reader does not see is left out: %#',
  async (standing, changes, text) => {
    await showTrader({ ...changes, ...(standing && { standing }) });
    expect(await words()).toBe(text);
  },
);

test('beside invoices of a pool the debt is no link, because the list would show both', async () => {
  await showTrader({ standing: standingOf({ pool_count: 2 }), aum_unread_accounts: 2 });
  await expect.element(line).toBeVisible();
  expect(page.getByRole('link', { name: /^Owes/ }).elements()).toEqual([]);
  expect(page.getByText('Owes 319.20 USDT, 6 invoices').element()).toHaveAttribute(
    'title',
    '2 more open invoices, which a pool pays from its result. The list of invoices shows them together.',
  );
  expect(line.element()).toHaveAttribute('title', '2 accounts that were not read yet are left out.');
});

test('a trader that owes something is written to, once', async () => {
  const { server } = await showTrader(
    { standing: standingOf(), telegram_user_id: '4711' },
    {
      answers: {
        [NOTIFY]: { success: true, message: 'Notification Sent', data: { message_id: idOf(9) } },
      },
    },
  );
  await act('Write').click();
  await expect.element(dialog).toHaveAccessibleName('Notify of unpaid invoices');
  await dialog.getByRole('button', { name: 'Notify' }).click();
  await expect.element(toastOf('Notification Sent')).toHaveTextContent('To ada (KAIT-1)');
  await expect.element(act('Write')).toHaveFocus();
  expect(server.sentTo(NOTIFY)).toMatchObject([{ params: { id: idOf(1) } }]);
});

const staffAs = (role: 'viewer' | 'owner') => ({
  ...STAFF,
  providers: STAFF.providers.map((provider) => ({ ...provider, role })),
});
test.each([
  [{ standing: NOTHING, telegram_user_id: '4711' }, undefined, 'Nothing is unpaid'],
  [{ standing: standingOf() }, undefined, 'The trader has no Telegram ID'],
  [{ standing: standingOf(), telegram_user_id: '4711' }, staffAs('owner'), 'Super admin access required'],
])('it is not written to where it could not be, and the act says why: %#', async (changes, user, reason) => {
  await showTrader(changes, user && { user });
  await expect.element(act('Write')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(act('Write')).toHaveAccessibleDescription(reason);
  await act('Write').click({ force: true });
  expect(dialog.elements()).toEqual([]);
});

test('connects, edits and copies the link, by keyboard', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await showTrader({ standing: NOTHING });
  await act('Connect').click();
  await expect.element(dialog).toHaveAccessibleName('Connect exchange');
  await userEvent.keyboard('{Escape}');
  await expect.element(act('Connect')).toHaveFocus();
  (act('More').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('menuitem', { name: 'Edit trader' })).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toHaveAccessibleName('Edit trader');
  await userEvent.keyboard('{Escape}');
  await expect.element(act('More')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const copy = page.getByRole('menuitem', { name: 'Copy link' });
  await expect.element(page.getByRole('menuitem', { name: 'Edit trader' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(copy).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(toastOf('Link copied')).toHaveTextContent(`/trader/${idOf(1)}`);
  expect(writeText).toHaveBeenCalledWith(`${location.origin}/trader/${idOf(1)}`);
  writeText.mockRestore();
});

test('a role without changes is told why it has none', async () => {
  await showTrader({ standing: NOTHING }, { user: staffAs('viewer') });
  await expect
    .element(act('Connect'))
    .toHaveAccessibleDescription('Your role does not include exchange accounts');
  await act('More').click();
  const edit = page.getByRole('menuitem', { name: 'Edit trader' });
  await expect.element(edit).toHaveTextContent('Your role does not include changes of traders');
  await edit.click({ force: true });
  expect(dialog.elements()).toEqual([]);
});

const palette = page.getByRole('dialog', { name: 'Search or jump to' });
const searchFor = async (text: string) => {
  await expect.element(act('More')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await palette.getByRole('combobox').fill(text);
  await expect.element(palette.getByText(/^Nothing that you may see/)).toBeVisible();
};
const NOTHING_FOUND = { 'GET /api/search': { success: true as const, data: [] } };

test('the search offers what the menu has, and gives the focus back to its button', async () => {
  await showTrader({ standing: NOTHING }, { answers: NOTHING_FOUND });
  await searchFor('edit tr');
  expect(palette.getByRole('option', { selected: true }).element().textContent).toMatch(/^Edit trader/);
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toHaveAccessibleName('Edit trader');
  await userEvent.keyboard('{Escape}');
  await expect.element(act('More')).toHaveFocus();
});

test('the search does not offer what its reader cannot choose in the menu', async () => {
  await showTrader({ standing: NOTHING }, { user: staffAs('viewer'), answers: NOTHING_FOUND });
  await searchFor('i');
  await expect.element(palette.getByRole('option', { name: 'Copy link' }).first()).toBeInTheDocument();
  expect(palette.getByRole('option', { name: /^Edit trader/ }).elements()).toEqual([]);
});

test('the line is live, and fits a phone with long amounts', async () => {
  let shown = traderOf({ standing: standingOf(), telegram_user_id: '4711' });
  const { server } = await showTrader(
    {},
    { answers: { [GET]: () => ({ success: true, data: shown }) }, width: 390, height: 844 },
  );
  expect(await words()).toContain('Owes 319.20 USDT');
  shown = traderOf({
    standing: standingOf({ owed_amount: '123456789.123456789', owed_count: 12_345, failed_messages: 1_234 }),
    name: 'Александра Константинопольская-Преображенская',
    telegram_username: 'سارة_عبد_الرحمن_العلي_الطويل_جدا',
    aum: 9_876_543_210,
    aum_pool_capital: '1234567890.5',
  });
  await queryClient.invalidateQueries({ queryKey: ['traders', 'detail', idOf(1)] });
  await expect.poll(words).toContain('Owes 123,456,789.123457 USDT, 12,345 invoices');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(server.sentTo(GET)[0]?.query).toMatchObject({ include_standing: 'true' });
});
