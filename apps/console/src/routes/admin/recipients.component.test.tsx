import type { CallAnswer } from '@copydesk/contract';
import { MOST_PAID_COUNTED } from '@copydesk/domain/payouts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse, type Sent } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, showScreen } from '../../testing/show-screen.tsx';

const LIST = 'GET /api/super-admin/recipients';
const WAITING = 'GET /api/super-admin/payout-addresses';
const RELEASE = 'POST /api/super-admin/payout-addresses/release';
type Answer = CallAnswer<typeof LIST>;
type Recipient = Answer['data'][number];

const DAY = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const ADDRESS = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const BEFORE = '0x52908400098527886E0F7030069857D2E4169EE7';
const CHAIN = { read_at: at(-1), is_contract: false, is_token: false, is_used: true };
const recipient = (n: number, over: Partial<Recipient> = {}): Recipient => ({
  owner_kind: 'community',
  owner_id: idOf(n),
  owner: `Community ${n}`,
  state: 'payable',
  address: ADDRESS,
  previous_address: null,
  changed_at: null,
  changed_by: null,
  payable_from: null,
  awaits_release: false,
  change_id: null,
  can_release: false,
  refusal: null,
  owner_word: null,
  chain: null,
  owed: '0',
  paid_count: 0,
  last_paid_at: null,
  usual_amount: null,
  shared_by: { count: 0, owners: [] },
  ...over,
});
const waiting = {
  state: 'held',
  changed_at: at(-0.5),
  changed_by: 'author@demo.example',
  previous_address: BEFORE,
  payable_from: at(0.5),
  awaits_release: true,
  change_id: idOf(77),
  can_release: true,
  chain: { ...CHAIN, is_used: false },
} as const;
const STATES = { payable: 120, held: 2, missing: 1 };
const listing = (data: Recipient[], over: Partial<Answer['meta']> = {}): Answer => ({
  success: true,
  data,
  meta: { total: data.length, states: STATES, ...over },
});
const ALL = [
  recipient(1, { owner_kind: 'provider', owner: 'Meridian Capital', owed: '6929.901', chain: CHAIN }),
  recipient(2, { owner: 'Blue Harbor', ...waiting }),
  recipient(3, {
    owner_kind: 'community_referrer',
    owner: 'Alpine Traders',
    chain: { ...CHAIN, is_used: false },
    paid_count: MOST_PAID_COUNTED,
    last_paid_at: '2026-11-01T00:00:00.000Z',
    usual_amount: '120.5',
    shared_by: {
      count: 5,
      owners: [
        { owner_kind: 'community', owner: 'Delta Desk' },
        { owner_kind: 'community_referrer', owner: 'Delta Desk' },
        { owner_kind: 'platform', owner: 'hexmount' },
      ],
    },
  }),
  recipient(4, {
    owner_kind: 'trader',
    owner: 'KAIT-1001',
    ...waiting,
    previous_address: null,
    change_id: idOf(78),
    can_release: false,
    refusal: 'You changed this address.',
    owner_word: { kind: 'not_me', read_at: at(-0.1) },
  }),
  recipient(5, {
    owner_kind: 'platform',
    owner_id: 'tip',
    owner: 'tip',
    state: 'missing',
    address: null,
    owed: '12.5',
  }),
  recipient(6, {
    owner: 'Cedar Circle',
    state: 'held',
    changed_at: at(-0.2),
    changed_by: 'author@demo.example',
    payable_from: at(0.8),
  }),
];
const show = (
  answer: unknown,
  { at: path = '/recipients', width = 1440, ...answers }: Answers & { at?: string; width?: number } = {},
) =>
  showScreen(path, {
    width,
    answers: { ...READS_UNDER_WAY, [LIST]: answer as never, ...(answers as Answers) },
  });

const main = page.getByRole('main');
const table = page.getByRole('table', { name: 'Recipients' });
const rowOf = (name: string) => table.getByRole('row').filter({ hasText: name });
const tab = (name: RegExp) => page.getByRole('tab', { name });
const linkOf = (name: string) => table.getByRole('link', { name, exact: true });

test('says of everyone where it is paid, since when, whether, how much, and with whom it shares the address', async () => {
  await show(listing(ALL, { total: 123 }));
  const provider = rowOf('Meridian Capital');
  await expect.element(provider).toHaveTextContent('Provider');
  await expect.element(provider).toHaveTextContent(ADDRESS);
  await expect.element(provider).toHaveTextContent('Used on this chain before');
  await expect.element(provider).toHaveTextContent('No change on record');
  await expect.element(provider).toHaveTextContent('6,929.90');
  await expect.element(provider).toHaveTextContent('Never');
  await expect
    .element(provider.getByRole('button', { name: 'Copy address of Meridian Capital' }))
    .toBeVisible();

  const held = rowOf('Blue Harbor');
  await expect.element(held).toHaveTextContent(/12 hours ago by author@demo.example Before: 0x5290…9EE7/);
  await expect.element(held).toHaveTextContent(/On hold *Waits for another super admin, and until/);
  await expect.element(held).toHaveTextContent('No trace on this chain');

  const shared = rowOf('Alpine Traders');
  await expect.element(shared).toHaveTextContent('Community referrer');
  await expect
    .element(shared)
    .toHaveTextContent('Also of Delta Desk, the referrer of Delta Desk, Hexmount and 2 others');
  await expect.element(shared).toHaveTextContent(/120\.50/);
  await expect.element(shared).toHaveTextContent(/ago 100 times or more/);

  // A payout that arrived tells more than a reading from before it.
  expect(shared.element().textContent).not.toContain('No trace');

  const trader = rowOf('KAIT-1001');
  await expect.element(trader).toHaveTextContent('First address');
  await expect.element(trader).toHaveTextContent('The owner said: not me');
  // Why this person cannot release it.
  await expect.element(trader).toHaveTextContent('You changed this address.');
  expect(trader.getByRole('button', { name: /Release/ }).elements()).toEqual([]);

  await expect
    .element(rowOf('Tip'))
    .toHaveTextContent(/Not set.*No address *Shares made without one wait for it/);
  expect(
    rowOf('Tip')
      .getByRole('link', { name: /Payouts/ })
      .elements(),
  ).toEqual([]);
  await expect.element(rowOf('Cedar Circle')).toHaveTextContent(/On hold *Payable from/);

  for (const [name, href] of [
    ['Meridian Capital', `/providers/${idOf(1)}`],
    ['Blue Harbor', `/community-settings/${idOf(2)}?tab=money`],
    ['Alpine Traders', `/community-settings/${idOf(3)}?tab=money`],
    ['KAIT-1001', `/trader/${idOf(4)}`],
    ['Tip', '/settings'],
    ['Payouts to Blue Harbor', `/transaction-history?search=${ADDRESS}`],
  ] as const)
    await expect.element(linkOf(name)).toHaveAttribute('href', href);
  await expect.element(main.getByRole('status').filter({ hasText: '123 recipients' })).toBeVisible();
  for (const [name, n] of [
    [/^All/, 123],
    [/^Payable/, 120],
    [/^On hold/, 2],
    [/^No address/, 1],
  ] as const)
    await expect.element(tab(name)).toHaveTextContent(String(n));
  await expectAccessible();
});

test('a tab, a filter, an order and a page ask for exactly that, and begin on the first page', async () => {
  const { server, address } = await show(listing(ALL, { total: 126 }), { at: '/recipients?page=2' });
  await expect.element(table).toBeVisible();
  const last = () => server.sentTo(LIST).at(-1)?.query;
  expect(last()).toEqual({ orderBy: 'changed_at', orderDir: 'desc', limit: '50', offset: '50' });
  await tab(/^On hold/).click();
  await expect.poll(last).toMatchObject({ state: 'held', offset: '0' });
  expect(address()).toBe('/recipients?state=held');
  await page.getByRole('button', { name: 'Kind', exact: true }).click();
  await page.getByRole('option', { name: 'Community referrer' }).click();
  await expect.poll(last).toMatchObject({ state: 'held', kind: 'community_referrer' });
  await page.getByRole('button', { name: 'Recipient', exact: true }).click();
  await expect.poll(last).toMatchObject({ orderBy: 'name', orderDir: 'desc', kind: 'community_referrer' });
  await page.getByRole('button', { name: 'Search recipients by name or address' }).click();
  await page.getByRole('searchbox', { name: 'Search recipients by name or address' }).fill('0x8BA1');
  await expect.poll(last).toMatchObject({ search: '0x8BA1', offset: '0', state: 'held' });
});

test('an address is released in the dialog that says all that is known of it', async () => {
  const { server } = await show(listing(ALL), {
    [WAITING]: {
      success: true,
      data: [
        {
          change_id: idOf(77),
          owner_kind: 'community',
          owner: 'Blue Harbor',
          referrer: null,
          address: ADDRESS,
          previous_address: BEFORE,
          changed_at: at(-0.5),
          changed_by: 'author@demo.example',
          payable_from: at(0.5),
          awaits_release: true,
          released_by: null,
          owner_word: null,
          chain: CHAIN,
          can_release: true,
          refusal: null,
        },
      ],
      meta: { total: 1 },
    },
    [RELEASE]: { success: true, data: { released: 1 } },
  });
  await page.getByRole('button', { name: 'Release the address of Blue Harbor' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect.element(dialog).toHaveTextContent('Ask its recipient first, by another channel');
  await expect.element(dialog).toHaveTextContent('set by author@demo.example');
  expect(server.sentTo(WAITING).at(-1)?.query).toMatchObject({ change_id: idOf(77) });
  await expectAccessible();
  const asked = server.sentTo(LIST).length;
  await dialog.getByRole('button', { name: 'Release' }).click();
  await expect
    .poll(() => server.sentTo(RELEASE).map(({ body }) => body))
    .toEqual([{ change_ids: [idOf(77)] }]);
  // The list is read again at once.
  await expect.poll(() => server.sentTo(LIST).length).toBeGreaterThan(asked);
});

test.each([
  ['/recipients', 'Nobody to pay yet', /appear here/],
  ['/recipients?state=held', 'No address is on hold', /waiting time has passed/],
  ['/recipients?state=missing', 'Everyone has an address', /wait for it/],
])('%s without recipients says so', async (path, title, text) => {
  await show(listing([], { states: { payable: 0, held: 0, missing: 0 } }), { at: path });
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
  await expect.element(page.getByText(text).first()).toBeVisible();
  await expectAccessible();
});

test('a search that finds nothing in its tab shows where it found something', async () => {
  const { address } = await show(
    ({ query }: Sent) =>
      query.state === 'held'
        ? listing([], { states: { payable: 1, held: 0, missing: 0 } })
        : listing(ALL.slice(0, 1)),
    { at: '/recipients?state=held&search=meri' },
  );
  await expect.element(page.getByRole('heading', { name: 'No recipients found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show 1 in Payable' }).click();
  await expect.element(rowOf('Meridian Capital')).toBeVisible();
  expect(address()).toBe('/recipients?state=payable&search=meri');
});

test('a failure is said once, and tried again when asked', async () => {
  let isDown = true;
  await show(() => {
    if (isDown) return refuse(400, 'validation_failed', 'This cannot be read.');
    return listing(ALL);
  });
  await expect.element(page.getByRole('alert')).toHaveTextContent(/The recipients could not be loaded/);
  await expect.element(page.getByRole('alert')).toHaveTextContent(/This cannot be read/);
  await expectAccessible();
  isDown = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(rowOf('Blue Harbor')).toBeVisible();
});

test('without an answer the rows are on their way', async () => {
  await show(READS_UNDER_WAY[LIST]);
  await expect.element(page.getByText('Loading recipients...')).toBeVisible();
  await expectAccessible();
});

const ARABIC = 'شبكة المتداولين';
test.each([390, 1024, 1440])(
  'long names and whole addresses leave the screen whole at %i px',
  async (width) => {
    const long = 'W'.repeat(200);
    await show(
      listing([
        recipient(1, { owner: ARABIC, ...waiting, changed_by: `${'a'.repeat(100)}@demo.example` }),
        recipient(2, {
          owner: long,
          owed: '1234567.123',
          shared_by: { count: 1, owners: [{ owner_kind: 'community', owner: long }] },
        }),
      ]),
      { width },
    );
    const list = width === 390 ? page.getByRole('list', { name: 'Recipients' }) : table;
    await expect.element(list).toHaveTextContent(ARABIC);
    await expect.element(list).toHaveTextContent(ADDRESS);
    const widths = [document.scrollingElement, document.querySelector('main')].map(
      (each) => each?.scrollWidth,
    );
    for (const each of widths) expect(each).toBeLessThanOrEqual(width);
    if (width > 390) {
      // Where the table has too little room it scrolls: no cell reaches into the next one.
      for (const row of table.getByRole('row').elements()) {
        const cells = [...row.children];
        for (const cell of cells)
          expect(cell.scrollWidth, cell.textContent).toBeLessThanOrEqual(cell.clientWidth);
      }
    } else {
      // No cell reaches beyond its card.
      for (const cell of list.element().querySelectorAll('dd, li'))
        expect(cell.getBoundingClientRect().right).toBeLessThanOrEqual(width);
      await expectAccessible();
    }
  },
);
