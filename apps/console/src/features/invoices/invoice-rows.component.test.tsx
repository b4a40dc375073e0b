import { shortId } from '@copydesk/domain/money';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { refuse } from '../../testing/serve-calls.ts';
import {
  GROUPS,
  groupOf,
  INVOICES_OF,
  invoiceOf,
  invoices,
  invoicesFor,
  invoicesOf,
  listed,
  showGroups,
  unknownGroup,
  unknownTrader,
} from '../../testing/show-invoices.ts';
import { idOf, STAFF } from '../../testing/show-screen.tsx';

const { bar, box, dialog, groups, menu, table } = invoices;
const lines = invoices.invoices;
const count = (locator: { elements(): Element[] }) => expect.poll(() => locator.elements().length);
const focus = (locator: { element(): Element }) => (locator.element() as HTMLElement).focus();
const unfold = async () => {
  await expect.element(groups.first()).toBeVisible();
  focus(groups.first());
  await userEvent.keyboard('{Enter}');
};

test('a group unfolds by click, Space and the arrows, and shows its invoices', async () => {
  const shown = [
    invoiceOf(1),
    invoiceOf(2, { provider: null, exchange: null, status: 'paid', is_paid: true, is_overdue: false }),
  ];
  await showGroups('', { answers: { [INVOICES_OF]: invoicesOf(shown) } });
  const group = groups.first();
  await expect.element(group).toHaveAttribute('aria-expanded', 'false');
  await group.click();
  await expect.element(group).toHaveAttribute('aria-expanded', 'true');
  await expect.element(lines.first()).toHaveTextContent('$');
  const cells = (nth: number) =>
    [...lines.nth(nth).element().querySelectorAll('td')].map(({ textContent }) => textContent);
  expect(cells(0).slice(1, 8)).toEqual([
    'Bybit · Meridian Capital',
    shortId(idOf(5001)),
    'Overdue',
    '$101',
    '$0',
    '$70',
    'Jan 2, 2026',
  ]);
  expect(cells(1)[1]).toContain('No provider');
  expect(cells(1)[3]).toContain('Paid');

  focus(group);
  await userEvent.keyboard(' ');
  await expect.element(group).toHaveAttribute('aria-expanded', 'false');
  await count(lines).toBe(0);
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(lines.first()).toHaveTextContent('$');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(lines.first()).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(group).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await count(lines).toBe(0);
});

test('lines on their way take the place that they will need', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await showGroups('', {
    answers: {
      [INVOICES_OF]: async (sent) => {
        await held;
        return invoicesFor(sent);
      },
    },
  });
  await unfold();
  await count(lines).toBe(3);
  const place = groups.nth(1).element().getBoundingClientRect().top;
  await expect.element(lines.first()).toHaveAttribute('aria-busy', 'true');
  expect(getComputedStyle(lines.first().element()).cursor).toBe('default');
  release();
  await expect.element(lines.first()).toHaveTextContent('$');
  await expect.element(lines.first()).not.toHaveAttribute('aria-busy');
  expect(groups.nth(1).element().getBoundingClientRect().top).toBe(place);
});

test('traders without a reference number form one group that unfolds and acts by trader', async () => {
  const { server } = await showGroups('', {
    answers: {
      [GROUPS]: listed([unknownGroup(4), groupOf(1)]),
      'GET /api/invoices/admin/groups/unknown': {
        success: true,
        data: [11, 12, 13, 14].map(unknownTrader),
        meta: { total: 4 },
      },
      [INVOICES_OF]: invoicesOf([
        invoiceOf(111, { trader: { ...invoiceOf(111).trader, reference_number: null } }),
      ]),
    },
  });
  const group = groups.first();
  await expect.element(group).toHaveTextContent('unknown4 traders');
  expect(group.getByRole('checkbox').elements()).toEqual([]);
  await menu('unknown').click();
  await expect.element(page.getByRole('menu')).toHaveTextContent('choose one trader');
  expect(page.getByRole('menuitem', { disabled: false }).elements()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await unfold();
  await expect.element(table).toHaveAttribute('aria-rowcount', '7');
  await expect.element(lines.first()).toHaveTextContent('trader_11');
  focus(lines.first());
  await userEvent.keyboard('{Enter}');
  await expect.element(table.getByRole('row', { level: 3 }).first()).toHaveTextContent('$');
  expect(server.sentTo(INVOICES_OF).at(-1)?.query).toMatchObject({
    reference_number: 'unknown',
    trader_id: unknownTrader(11).trader?.id,
  });
  await box('Select group trader_11').click();
  await expect.element(bar).toBeVisible();
  await expect.element(bar).not.toHaveTextContent('at a time');
  await box('Select group trader_12').click();
  await expect.element(bar).toHaveTextContent('One trader without a reference number at a time');
  await bar.getByRole('button', { name: 'Archive' }).click({ force: true });
  expect(dialog.elements()).toEqual([]);
});

test('expanding all asks for the groups in view only, and collapses again', async () => {
  const { server } = await showGroups('?rows=100', {
    answers: {
      [GROUPS]: ({ query }) =>
        listed(
          Array.from({ length: Number(query.limit) }, (_, n) => groupOf(n)),
          100,
        ),
    },
  });
  const asked = () => new Set(server.sentTo(INVOICES_OF).map(({ query }) => query.reference_number)).size;
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect.element(lines.first()).toHaveTextContent('$');
  expect(asked()).toBeLessThan(40);
  focus(groups.first());
  await userEvent.keyboard('{End}');
  await expect
    .poll(() => [...document.querySelectorAll('[role=treegrid] tbody tr')].at(-1)?.textContent)
    .toContain('$');
  expect(asked()).toBeLessThan(60);
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await expect.element(table).toHaveAttribute('aria-rowcount', '101');
});

test('archived invoices are found in their tab, and only those', async () => {
  const { server } = await showGroups('?tab=archived');
  await unfold();
  await expect.element(lines.first()).toHaveTextContent('$');
  expect(lines.elements()).toHaveLength(3);
  expect(server.sentTo(INVOICES_OF).map(({ query }) => query.is_archived)).toEqual(['true']);
});

test('a group says that its invoices could not be loaded, and tries again', async () => {
  const { server } = await showGroups('', {
    answers: { [INVOICES_OF]: refuse(403, 'unavailable', 'Not now.') },
  });
  await unfold();
  const alert = table.getByRole('alert');
  await expect.element(alert).toHaveTextContent('Error loading invoices: Not now.');
  server.answer({ [INVOICES_OF]: (sent) => invoicesFor(sent) });
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect.element(lines.first()).toHaveTextContent('$');
});

test('a page is selected at once, the bar says how much that is, and another page has nothing selected', async () => {
  await showGroups();
  const selectPage = box('Select page');
  await selectPage.click();
  await expect
    .element(bar.getByRole('status'))
    .toHaveTextContent(/^30 invoices selected · 10 groups · \$3,015$/);
  await box('Select group KAIT-1000').click();
  await expect.element(bar).toHaveTextContent('9 groups');
  expect((selectPage.element() as HTMLInputElement).indeterminate).toBe(true);
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await expect.element(bar).not.toBeInTheDocument();

  await selectPage.click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.element(page.getByText(/^11–20 of/)).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  expect(page.getByRole('checkbox', { checked: true }).elements()).toEqual([]);
});

test('the keyboard selects: x, and Space on the box', async () => {
  await showGroups();
  await expect.element(groups.first()).toBeVisible();
  focus(groups.first());
  await userEvent.keyboard('x');
  await expect.element(groups.first()).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}{Tab}');
  await expect.element(box('Select group KAIT-1001')).toHaveFocus();
  await userEvent.keyboard(' ');
  await expect.element(bar).toHaveTextContent('2 groups');
  await expect.element(groups.nth(1)).toHaveAttribute('aria-expanded', 'false');
});

test('an invoice taken out of a selected group leaves the others selected', async () => {
  await showGroups();
  await unfold();
  const group = box('Select group KAIT-1000');
  await group.click();
  const line = box(`Select invoice ${shortId(idOf(5000))}`);
  await expect.element(line).toBeChecked();
  await line.click();
  await expect.element(bar.getByRole('status')).toHaveTextContent('2 invoices');
  await expect.element(group).not.toBeChecked();
});

test('staff see where amounts are their part, and nothing that they may not do', async () => {
  const { server } = await showGroups('', {
    user: STAFF,
    answers: { [GROUPS]: listed([groupOf(0), groupOf(1, { is_part: true })]) },
  });
  await expect.element(groups.nth(1)).toHaveTextContent('your part');
  await expect.element(groups.nth(0)).not.toHaveTextContent('your part');
  await unfold();
  await count(lines.getByText('Admin only', { exact: true })).toBe(3);
  expect(lines.getByText('Meridian Capital').elements()).toHaveLength(3);
  await menu('KAIT-1000').click();
  await expect.element(page.getByRole('menu')).toHaveTextContent(/^Super admin access required$/);
  expect(page.getByRole('menuitem', { disabled: false }).elements()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  expect(page.getByRole('checkbox').elements()).toEqual([]);
  expect(page.getByRole('button', { name: 'Run invoicing' }).elements()).toEqual([]);
  focus(groups.first());
  await userEvent.keyboard('x');
  expect(bar.elements()).toEqual([]);
  expect(server.sentTo('GET /api/invoices/runs')).toEqual([]);
});
