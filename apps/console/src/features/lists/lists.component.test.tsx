import type { CallAnswer } from '@copydesk/contract';
import { AS_IS, type ListLayout } from '@copydesk/domain/person';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createRefresher } from '../../app/create-refresher.ts';
import { queryClient } from '../../app/query-client.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, never, refuse } from '../../testing/serve-calls.ts';
import { idOf, STAFF, SUPER_ADMIN } from '../../testing/show-screen.tsx';
import { AT } from '../../testing/show-trader.ts';
import { showTraders, traders } from '../../testing/show-traders.ts';

const KEEP = 'PUT /api/me/lists/{list}';
const VIEWS = 'GET /api/saved-views';
const SAVE = 'POST /api/saved-views';
type View = CallAnswer<typeof VIEWS>['data'][number];

/** The columns with a name: the box of a selection has none. */
const headers = () =>
  traders.grid
    .getByRole('columnheader')
    .elements()
    .map((header) => header.textContent)
    .filter((name) => name !== '');
const columnsButton = page.getByRole('button', { name: 'Columns', exact: true });
const columnsBox = page.getByRole('dialog', { name: 'Columns' });
const viewsButton = page.getByRole('button', { name: /^Views/ });
const viewsBox = page.getByRole('dialog', { name: 'Saved views' });
const inColumns = (name: string) => columnsBox.getByRole('button', { name });

const kept = (server: Awaited<ReturnType<typeof showTraders>>['server']) =>
  server.sentTo(KEEP).map(({ body }) => body as ListLayout);
const versionOf = (count: number) => count.toString(16).padStart(16, '0');
const CHANGED = refuse(409, 'changed_meanwhile', 'The columns were arranged elsewhere meanwhile.');

/**
 * A server that keeps the columns of the list.
 * @param others what other tabs arrange, each right before a change of this one arrives
 */
function keeping(others: ListLayout[] = []): Answers {
  let writes = 0;
  let stored: { traders?: ListLayout & { version: string } } = {};
  const store = ({ order, hidden, widths, pinned }: ListLayout) => {
    stored = { traders: { order, hidden, widths, pinned, version: versionOf(++writes) } };
  };
  return {
    'GET /api/me': () => ({ success: true, data: { ...SUPER_ADMIN, lists: stored } }),
    [KEEP]: ({ body }: { body: ListLayout & { version: string | null } }) => {
      const other = others.shift();
      if (other) store(other);
      if (body.version !== (stored.traders?.version ?? null)) return CHANGED;
      store(body);
      return { success: true, data: stored.traders };
    },
    'DELETE /api/me/lists/{list}': () => {
      stored = {};
      return { success: true, data: null };
    },
  } as never;
}

const viewOf = (name: string, changes: Partial<View> = {}): View => ({
  id: idOf(name.length),
  screen: 'traders',
  name,
  query: 'sort=reference_number&tab=connected',
  layout: null,
  is_shared: false,
  is_own: true,
  shared_by: null,
  is_default: false,
  created_at: AT,
  ...changes,
});

test('columns are hidden, moved, widened and put back, and kept for the person', async () => {
  const { server } = await showTraders('?tab=connected', { answers: keeping() });
  await expect.element(traders.first).toBeVisible();
  expect(headers()).toEqual(['Reference Number', 'Telegram Username', 'Balance', 'Status', 'Community']);
  await columnsButton.click();
  await columnsBox.getByRole('checkbox', { name: 'Show Status' }).click();
  await expect.poll(headers).toEqual(['Reference Number', 'Telegram Username', 'Balance', 'Community']);
  await inColumns('Move Community towards the start').click();
  await inColumns('Move Community towards the start').click();
  await expect.poll(headers).toEqual(['Reference Number', 'Telegram Username', 'Community', 'Balance']);
  const width = () =>
    traders.grid.getByRole('columnheader', { name: 'Balance' }).element().getBoundingClientRect().width;
  const before = width();
  await inColumns('Widen Balance').click();
  await expect.poll(() => Math.round(width() - before)).toBe(16);
  await inColumns('Keep columns up to Telegram Username in view').click();
  await expect
    .poll(() => kept(server).at(-1))
    .toMatchObject({
      order: ['select', 'reference_number', 'telegram_username', 'community', 'aum', 'status'],
      hidden: ['status'],
      widths: { aum: Math.round(before) + 16 },
      pinned: 'telegram_username',
    });
  // What was pressed within a moment is kept once.
  expect(kept(server).length).toBeLessThan(5);
  await columnsBox.getByRole('button', { name: 'Reset columns' }).click();
  await expect
    .poll(headers)
    .toEqual(['Reference Number', 'Telegram Username', 'Balance', 'Status', 'Community']);
  // Nothing is stored of a list that is as the product has it.
  await expect
    .poll(() => server.sentTo('DELETE /api/me/lists/{list}').map(({ params }) => params))
    .toEqual([{ list: 'traders' }]);
});

test('columns that another tab arranged meanwhile are kept, and shown here with the next change', async () => {
  const others = [
    { ...AS_IS, hidden: ['community'], widths: { aum: 300 } },
    // Between the reading after the refusal and the change that follows it.
    { ...AS_IS, hidden: ['community'], widths: { aum: 320 } },
  ];
  const { server } = await showTraders('?tab=connected', { answers: keeping(others) });
  await expect.element(traders.first).toBeVisible();
  await columnsButton.click();
  await columnsBox.getByRole('checkbox', { name: 'Show Status' }).click();
  await expect.poll(headers).toEqual(['Reference Number', 'Telegram Username', 'Balance']);
  expect(kept(server)).toMatchObject([
    { hidden: ['status'], widths: {}, version: null },
    { hidden: ['community', 'status'], widths: { aum: 300 }, version: versionOf(1) },
    { hidden: ['community', 'status'], widths: { aum: 320 }, version: versionOf(2) },
  ]);
  // The next change of this tab is taken at once.
  await columnsBox.getByRole('checkbox', { name: 'Show Balance' }).click();
  await expect.poll(() => kept(server).at(-1)).toMatchObject({ version: versionOf(3) });
  expect(kept(server)).toHaveLength(4);
});

test('what is chosen in another tab is shown here at once, and what is being arranged here stays', async () => {
  const { server } = await showTraders('?tab=connected', {
    answers: { [KEEP]: never },
  });
  await expect.element(traders.first).toBeVisible();
  const tell = createRefresher(queryClient);
  const elsewhere = (hidden: string[], settings: object = {}) => {
    const lists = { traders: { ...AS_IS, hidden, version: versionOf(99) } };
    const me = { ...SUPER_ADMIN, lists, settings: { ...SUPER_ADMIN.settings, ...settings } };
    server.answer({ 'GET /api/me': { success: true, data: me } } as never);
    tell({ topic: 'own_setting', id: null, trader_id: null, at: AT });
  };
  elsewhere(['community'], { density: 'compact' });
  await expect.poll(headers).not.toContain('Community');
  await expect.poll(() => traders.row(0)?.getBoundingClientRect().height).toBe(32);
  await columnsButton.click();
  await columnsBox.getByRole('checkbox', { name: 'Show Status' }).click();
  elsewhere(['telegram_username']);
  await expect.poll(() => server.sentTo('GET /api/me').length).toBe(2);
  await expect.poll(headers).toEqual(['Reference Number', 'Telegram Username', 'Balance']);
  // Against the version that this tab had, so that the server finds the other change.
  await expect
    .poll(() => kept(server))
    .toMatchObject([{ hidden: ['community', 'status'], version: versionOf(99) }]);
});

test('the edge of a column is drawn with the mouse, and pressed twice for its own width', async () => {
  const { server } = await showTraders('?tab=connected', { answers: keeping() });
  await expect.element(traders.first).toBeVisible();
  const header = traders.grid.getByRole('columnheader', { name: 'Balance' });
  const width = () => Math.round(header.element().getBoundingClientRect().width);
  const before = width();
  await expect.element(columnsButton).toBeVisible();
  const edge = document.querySelectorAll<HTMLElement>('[title^="Draw to change the width"]')[2];
  if (!edge) throw new Error('no edge');
  await expect.poll(() => edge.getBoundingClientRect().width).toBeGreaterThan(0);
  const { x, y } = edge.getBoundingClientRect();
  edge.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, clientX: x, clientY: y }));
  document.dispatchEvent(new MouseEvent('mousemove', { clientX: x + 60, clientY: y }));
  document.dispatchEvent(new MouseEvent('mouseup', { clientX: x + 60, clientY: y }));
  await expect.poll(() => Math.abs(width() - before - 60)).toBeLessThan(2);
  await expect.poll(() => kept(server).at(-1)?.widths).toEqual({ aum: expect.any(Number) });
  edge.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  await expect.poll(width).toBe(before);
  // What is still to be kept would meet the person of the next test.
  await expect.poll(() => server.sentTo('DELETE /api/me/lists/{list}').length).toBe(1);
});

test('the columns of a person are there from the first row on; of a viewed person they are not changed', async () => {
  const lists = {
    traders: { ...AS_IS, order: [], hidden: ['community', 'status'], widths: {}, version: versionOf(1) },
  };
  const { server } = await showTraders('?tab=connected', {
    answers: keeping(),
    user: { ...STAFF, lists, viewed_by: 'Super Admin' },
  });
  await expect.element(traders.first).toBeVisible();
  expect(headers()).toEqual(['Reference Number', 'Telegram Username', 'Balance']);
  await columnsButton.click();
  await columnsBox.getByRole('checkbox', { name: 'Show Status' }).click();
  await expect.poll(headers).toContain('Status');
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(kept(server)).toEqual([]);
});

test('the last column cannot be hidden', async () => {
  const hidden = ['telegram_username', 'aum', 'status', 'community'];
  await showTraders('?tab=connected', {
    user: {
      ...SUPER_ADMIN,
      lists: { traders: { order: [], hidden, widths: {}, pinned: null, version: versionOf(1) } },
    },
  });
  await columnsButton.click();
  const box = columnsBox.getByRole('checkbox', { name: 'Show Reference Number' });
  await expect.element(box).toBeDisabled();
  await expectAccessible();
});

test('a view brings its filters and its columns, has a count, and says when it was changed', async () => {
  const layout = { order: [], hidden: ['status'], widths: {}, pinned: null };
  const { address } = await showTraders('', {
    answers: {
      [VIEWS]: {
        success: true,
        data: [
          viewOf('Narrow', { layout }),
          viewOf('Of a colleague', { is_own: false, is_shared: true, shared_by: 'Ada' }),
        ],
      },
    },
  });
  await expect.element(traders.first).toBeVisible();
  await viewsButton.click();
  await expect.element(viewsBox.getByText('1,050').first()).toBeVisible();
  await expect.element(viewsBox.getByText('Shared by Ada')).toBeInTheDocument();
  await expect
    .element(viewsBox.getByRole('button', { name: 'Delete view Of a colleague' }))
    .not.toBeInTheDocument();
  await expectAccessible();
  await viewsBox.getByRole('button', { name: /^Narrow/ }).click();
  await expect.poll(address).toBe(`/?tab=connected&sort=reference_number&saved=${idOf(6)}`);
  await expect.element(page.getByRole('button', { name: 'Views: Narrow' })).toBeVisible();
  await expect.poll(headers).not.toContain('Status');
  await columnsButton.click();
  await columnsBox.getByRole('checkbox', { name: 'Show Balance' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Views: Narrow, changed' })).toBeVisible();
});

test('a view is saved with its columns, shared at will', async () => {
  const { server } = await showTraders('?tab=connected', {
    answers: {
      [VIEWS]: { success: true, data: [] },
      [SAVE]: { success: true, data: viewOf('Mine', { is_shared: true }) },
    },
    user: STAFF,
  });
  await viewsButton.click();
  await viewsBox.getByRole('textbox', { name: 'Name of the view' }).fill('Mine');
  await viewsBox.getByRole('checkbox', { name: 'Share with everybody who sees all that I see' }).click();
  await viewsBox.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => server.sentTo(SAVE).map(({ body }) => body))
    .toEqual([{ screen: 'traders', name: 'Mine', query: 'tab=connected', is_shared: true, layout: AS_IS }]);
});

test('a list without filters opens with the view of the person, one with filters as asked', async () => {
  const view = { id: idOf(7), query: 'sort=reference_number&tab=delinquent', layout: null };
  const user = { ...SUPER_ADMIN, default_views: { traders: view } };
  const answers: Answers = {
    [VIEWS]: { success: true, data: [viewOf('Default', { ...view, is_default: true })] },
  };
  const opened = await showTraders('', { user, answers });
  await expect.poll(opened.address).toBe(`/?tab=delinquent&sort=reference_number&saved=${idOf(7)}`);
  await expect.element(traders.grid).toHaveAttribute('aria-rowcount', '8');
  await opened.unmount();
  const asked = await showTraders('?tab=connected', { user, answers });
  await expect.element(traders.grid).toHaveAttribute('aria-rowcount', '1051');
  expect(asked.address()).toBe('/?tab=connected');
});

test('keys by their place on the keyboard move through the rows, lead to screens and show what there is', async () => {
  const { address } = await showTraders('?tab=connected', {
    answers: {
      'GET /api/super-admin/distributions/awaiting': never,
      'GET /api/super-admin/payout-runs': never,
      'GET /api/pooled-accounts': never,
    },
  });
  await expect.element(traders.first).toBeVisible();
  const press = (code: string, key: string) =>
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { code, key, bubbles: true, cancelable: true }),
    );
  (traders.row(0) as HTMLElement).focus();
  // As a Russian and an Arabic keyboard write them.
  press('KeyJ', 'о');
  await expect.poll(() => document.activeElement?.getAttribute('aria-rowindex')).toBe('3');
  press('KeyK', 'ن');
  await expect.poll(() => document.activeElement?.getAttribute('aria-rowindex')).toBe('2');
  press('Slash', '?');
  const shown = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(shown).toBeVisible();
  await expectAccessible();
  // Nothing happens behind a dialog.
  press('KeyG', 'g');
  press('KeyC', 'c');
  await userEvent.keyboard('{Escape}');
  await expect.element(shown).not.toBeInTheDocument();
  expect(address()).toBe('/?tab=connected');
  press('KeyG', 'п');
  press('KeyC', 'с');
  await expect.poll(address).toBe('/communities');
});

test('who turned the keys off has none of them', async () => {
  const settings = { ...SUPER_ADMIN.settings, shortcuts: false };
  const { address } = await showTraders('?tab=connected', { user: { ...SUPER_ADMIN, settings } });
  await expect.element(traders.first).toBeVisible();
  (traders.row(0) as HTMLElement).focus();
  await userEvent.keyboard('jgc?');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2');
  expect(address()).toBe('/?tab=connected');
});

test('rows are as high as the person chose', async () => {
  const settings = { ...SUPER_ADMIN.settings, density: 'compact' } as const;
  await showTraders('?tab=connected', { user: { ...SUPER_ADMIN, settings } });
  await expect.element(traders.first).toBeVisible();
  expect(traders.row(0)?.getBoundingClientRect().height).toBe(32);
});

test('the filters are one line of text, written and read', async () => {
  const { address } = await showTraders('?tab=connected&exchange=okx');
  await expect.element(traders.first).toBeVisible();
  await page.getByRole('button', { name: 'Filters as text' }).click();
  const line = page.getByRole('textbox', { name: 'Filters as text' });
  await expect.element(line).toHaveValue('exchange:OKX');
  await line.fill('exchagne:okx');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent(/No filter is called "exchagne"/);
  await expectAccessible();
  await line.fill('exchange:bybit KAIT-1042');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/?tab=connected&exchange=bybit&search=KAIT-1042');
  await expect.element(line).toHaveValue('exchange:Bybit KAIT-1042');
  await userEvent.keyboard('{Escape}');
  await expect.element(line).not.toBeInTheDocument();
});

test('a letter that is typed the moment the line of filters has the focus stays in it', async () => {
  await showTraders('?tab=connected');
  await expect.element(traders.first).toBeVisible();
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (target instanceof HTMLInputElement) document.execCommand('insertText', false, 'ex');
    },
    { once: true, signal: AbortSignal.timeout(10_000) },
  );
  // Without the pointer, which gives the focus to the button.
  (page.getByRole('button', { name: 'Filters as text' }).element() as HTMLElement).click();
  const line = page.getByRole('textbox', { name: 'Filters as text' });
  await expect.element(line).toHaveFocus();
  await userEvent.keyboard('change:okx');
  await expect.element(line).toHaveValue('exchange:okx');
});
