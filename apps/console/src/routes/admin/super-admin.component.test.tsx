import type { CallAnswer } from '@copydesk/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, never, refuse } from '../../testing/serve-calls.ts';
import { COMMUNITY, NONE, PENDING, toastOf } from '../../testing/show-community.ts';
import { idOf, READS_UNDER_WAY, type Shown, showScreen } from '../../testing/show-screen.tsx';
import { somePool } from '../../testing/some-pools.ts';

const LIST = 'GET /api/super-admin/communities';
const ONE = 'GET /api/communities/{id}';
const POOLS = 'GET /api/pooled-accounts';
const CHANGE = 'PATCH /api/super-admin/communities/{id}';
const ARCHIVE = 'PATCH /api/super-admin/communities/{id}/archive';
const DELETE = 'DELETE /api/super-admin/communities/{id}';
type Row = CallAnswer<typeof LIST>['data'][number];

const AT = '2026-01-02T10:00:00.000Z';
const rowOf = (n: number, changes: Partial<Row> = {}): Row => {
  const { trader_referral_percentage: _, providers: __, totals_at: ___, ...shared } = COMMUNITY;
  return {
    ...shared,
    id: idOf(n),
    name: `Community ${n}`,
    total_aum: `${1_000_000 / n}`,
    trader_count: 10 * n,
    owes_shares: false,
    ...changes,
  };
};
const [first, second] = [rowOf(1), rowOf(2)];
const archived = rowOf(3, { is_archived: true });
const listOf = (data: Row[]): CallAnswer<typeof LIST> => ({ success: true, data, meta: { totals_at: AT } });
const pools = (count: number): CallAnswer<typeof POOLS> => ({
  success: true,
  pooled_accounts: Array.from({ length: count }, (_, index) => somePool(index, 'stopped')),
});
const ANSWERS: Answers = {
  ...READS_UNDER_WAY,
  [LIST]: listOf([first, second, archived]),
  [POOLS]: pools(0),
  'GET /api/orders': NONE,
  'GET /api/super-admin/payout-addresses': NONE,
  'GET /api/super-admin/distributions/awaiting': NONE,
  'GET /api/super-admin/payout-runs': NONE,
  'GET /api/super-admin/wallets': NONE,
};
const open = ({ answers, ...shown }: Shown = {}) =>
  showScreen('/super-admin', { answers: { ...ANSWERS, ...answers }, ...shown });

const communities = page.getByRole('region', { name: /^Communities\b/ });
const poolPanel = page.getByRole('region', { name: 'Pooled Trading Accounts' });
const harvest = page.getByRole('region', { name: 'Global Harvest Control' });
const dialog = page.getByRole('dialog');
const field = dialog.getByRole('textbox');
const save = dialog.getByRole('button', { name: 'Save' });
const row = (name: string) =>
  communities.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const menu = (name: string) => page.getByRole('button', { name: `Actions for ${name}`, exact: true });
const item = (name: string) => page.getByRole('menuitem', { name });
const edit = (setting: string, name: string) =>
  row(name).getByRole('button', { name: `edit ${setting} of ${name}` });
const textsOf = (elements: readonly Element[]) => elements.map((each) => each.textContent);
const items = () => textsOf(page.getByRole('menuitem').elements());

beforeEach(() => {
  vi.restoreAllMocks();
});

test('while it loads it says so, and without communities and pools as well', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await open({
    answers: {
      [LIST]: async () => {
        await held;
        return listOf([]);
      },
    },
  });
  await expect.element(page.getByText('Loading admin data...')).toBeVisible();
  await expectAccessible();
  answer();
  await expect.element(communities).toHaveTextContent('No communities found');
  await expect.element(communities).toHaveTextContent('Communities will appear here once they are created.');
  await expect.element(poolPanel).toHaveTextContent('No pooled accounts found');
  await expect.element(harvest).not.toBeInTheDocument();
  const card = page.getByLabelText('Summary', { exact: true });
  await expect.element(card).toHaveTextContent(/Estimate Revenue.*N\/A/);
  await expectAccessible();
});

test('each part that fails says why, and tries again', async () => {
  const refused = refuse(503, 'unavailable', 'The service is not available');
  const { server } = await open({ answers: { [LIST]: refused, [POOLS]: refused } });
  await expect.element(communities.getByRole('alert')).toHaveTextContent('The service is not available');
  await expect.element(poolPanel.getByRole('alert')).toHaveTextContent('The service is not available');
  await expectAccessible();
  server.answer({ [LIST]: ANSWERS[LIST], [POOLS]: pools(1) });
  await communities.getByRole('button', { name: 'Retry' }).click();
  await poolPanel.getByRole('button', { name: 'Retry' }).click();
  await expect.element(row('Community 1')).toBeVisible();
  await expect.element(harvest).toBeVisible();
  await expectAccessible();
});

test('archived communities are shown on request, with what is left to do with them', async () => {
  const { address } = await open();
  await expect.element(row('Community 1')).toBeVisible();
  expect(textsOf(communities.getByRole('columnheader').elements())).toEqual([
    'Community',
    'Wallet Status',
    'Internal Balance',
    'Split Percentage',
    'Created',
    'Actions',
  ]);
  expect(row('Community 3').elements()).toEqual([]);
  await page.getByRole('button', { name: 'Show Archived' }).click();
  await expect.poll(address).toBe('/super-admin?archived=shown');
  await expect.element(row('Community 3')).toHaveTextContent('Archived');
  expect(communities.getByRole('row').elements()).toHaveLength(4);
  await expect.element(communities.getByRole('row').last()).toHaveTextContent('Archived');
  await menu('Community 3').click();
  // It may owe shares.
  await expect.element(item('Distribute')).toBeEnabled();
  expect(items()).toEqual(['Distribute', 'Delete']);
  await userEvent.keyboard('{Escape}');
  await expectAccessible();

  await page.getByRole('button', { name: 'Hide Archived' }).click();
  await expect.element(row('Community 3')).not.toBeInTheDocument();
  (menu('Community 1').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(item('Archive')).toBeVisible();
  expect(items()).toEqual(['Distribute', 'Archive', 'Delete']);
  await userEvent.keyboard('{Escape}');

  // A press on the row beside its controls.
  await row('Community 1').getByRole('cell').nth(4).click();
  await expect.poll(address).toBe(`/community-settings/${first.id}`);
});

test('the wallet address is copied, and recipients are paid from the menu', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { address } = await open({ answers: { [PENDING]: never } });
  await row('Community 1')
    .getByRole('button', { name: /^Copy internal wallet address/ })
    .click();
  await expect.element(toastOf('Copied to clipboard')).toBeVisible();
  expect(copied.mock.calls).toEqual([[first.wallets.internal.address]]);
  // The press is not one on the row.
  expect(address()).toBe('/super-admin');

  await menu('Community 1').click();
  await item('Distribute').click();
  await expect.element(dialog).toHaveAccessibleName('Distribute Funds');
  await expect.element(dialog).toHaveTextContent('Pending recipients of Community 1');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(menu('Community 1')).toHaveFocus();
});

test('the split percentage is explained although its heading is out of sight', async () => {
  // As below the boxes of what waits: the focus scrolls to it.
  await open({ height: 300 });
  const about = page.getByRole('button', { name: 'About the split percentage' });
  await expect.element(about).toBeInTheDocument();
  (about.element() as HTMLElement).focus();
  await expect
    .element(page.getByRole('tooltip'))
    .toHaveTextContent(/^This percentage is of the full amount invoiced from traders\.$/);
});

test('at phone width everything is readable without scrolling sideways', async () => {
  await open({ width: 390, height: 844 });
  const cards = page.getByRole('list', { name: 'Communities' }).getByRole('listitem');
  await expect.element(cards.first()).toBeVisible();
  expect(cards.elements()).toHaveLength(2);
  expect(document.querySelector('main')?.scrollWidth).toBeLessThanOrEqual(390);
});

test('values are edited from their cells, and a refusal is shown in the dialog', async () => {
  const loaded = (changes: Partial<typeof COMMUNITY> = {}) => ({
    success: true as const,
    data: { ...COMMUNITY, id: first.id, name: first.name, ...changes },
  });
  const { server } = await open({
    answers: {
      [ONE]: loaded(),
      [CHANGE]: ({ body }) => {
        if (body.referrer_wallet_address === 'bob')
          return refuse(400, 'validation_failed', 'Invalid request', [
            { path: 'referrer_wallet_address', message: 'not an EVM address' },
          ]);
        const { version: _, ...values } = body;
        const changes = { ...values, version: 'fedcba9876543210' } as Partial<Row>;
        server.answer({
          [ONE]: loaded(changes as Partial<typeof COMMUNITY>),
          [LIST]: listOf([{ ...first, ...changes }, second]),
        });
        return { success: true, data: { ...first, ...changes } };
      },
    },
  });
  await edit('split percentage', first.name).click();
  await expect.element(dialog).toHaveAccessibleName('Edit Split Percentage');
  await expect.element(dialog).toHaveTextContent(first.name);
  await expect.element(field).toHaveFocus();
  await field.fill('100.5');
  await save.click();
  await expect.element(dialog).toHaveTextContent('Enter a number from 0 to 100');
  await field.fill('6.25');
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(row(first.name).getByRole('cell').nth(3)).toHaveTextContent('6.25%');
  await expect.element(edit('split percentage', first.name)).toHaveFocus();

  await edit('minimum balance', first.name).click();
  await field.fill('12345');
  await save.click();
  await expect.element(row(first.name).getByRole('cell').nth(2)).toHaveTextContent('12,345');
  await expect.element(dialog).not.toBeInTheDocument();

  (edit('referrer wallet address', first.name).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await field.fill('bob');
  await save.click();
  await expect.element(dialog).toHaveTextContent('not an EVM address');
  await userEvent.keyboard('{Escape}');
  await expect.element(edit('referrer wallet address', first.name)).toHaveFocus();
  expect(server.sentTo(CHANGE).map(({ body }) => body)).toMatchObject([
    { split_percentage: 6.25 },
    { minimum_balance: 12345 },
    { referrer_wallet_address: 'bob' },
  ]);
  await edit('split percentage', first.name).click();
  await expect.element(field).toHaveFocus();
  await expectAccessible();
});

test('a community that cannot be loaded is not edited', async () => {
  await open({ answers: { [ONE]: refuse(404, 'not_found', 'Not found') } });
  await edit('minimum balance', first.name).click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Not found');
  await expect.element(dialog.getByRole('button', { name: 'Retry' })).toBeVisible();
  expect(field.elements()).toEqual([]);
});

test('archiving and deleting ask first, and show the refusal where the question was', async () => {
  const { server } = await open({
    answers: {
      [ARCHIVE]: refuse(409, 'community_has_aum', 'AUM is not zero'),
      [DELETE]: refuse(409, 'community_has_traders', 'It has traders'),
    },
  });
  for (const [act, question, refusal] of [
    [
      'Archive',
      `Are you sure you want to archive ${first.name}? This action can only be performed if the community has 0 AUM.`,
      'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
    ],
    [
      'Delete',
      `Are you sure you want to permanently delete ${first.name}? This action can only be performed if the community has no traders.`,
      'Cannot delete a community with active traders. Please remove all traders first.',
    ],
  ] as const) {
    await menu(first.name).click();
    await item(act).click();
    await expect.element(dialog).toHaveTextContent(question);
    await dialog.getByRole('button', { name: act, exact: true }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(refusal);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(menu(first.name)).toHaveFocus();
  }
  expect(server.sentTo(ARCHIVE)).toHaveLength(1);
  expect(server.sentTo(DELETE)).toHaveLength(1);
  await menu(first.name).click();
  await item('Delete').click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  await expectAccessible();
});

test('a community that was archived or deleted leaves the table', async () => {
  const { server } = await open({
    answers: {
      [ARCHIVE]: () => {
        server.answer({ [LIST]: listOf([second, { ...first, is_archived: true }]) });
        return { success: true, data: { ...first, is_archived: true } };
      },
      [DELETE]: () => {
        server.answer({ [LIST]: listOf([{ ...first, is_archived: true }]) });
        return { success: true, data: { id: second.id } };
      },
    },
  });
  await menu(first.name).click();
  await item('Archive').click();
  await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect.element(toastOf('Community has been successfully archived.')).toBeVisible();
  await expect.element(row(first.name)).not.toBeInTheDocument();
  await menu(second.name).click();
  await item('Delete').click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.element(toastOf('Community has been successfully deleted.')).toBeVisible();
  await expect.element(row(second.name)).not.toBeInTheDocument();
});
