import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type Answers, refuse } from '../../../testing/serve-calls.ts';
import { toastOf } from '../../../testing/show-community.ts';
import {
  GROUPS,
  groupOf,
  INVOICES_OF,
  type Invoice,
  invoiceOf,
  invoices,
  invoicesOf,
  listed,
  showGroups,
} from '../../../testing/show-invoices.ts';
import { idOf } from '../../../testing/show-screen.tsx';

const STATUS = 'PATCH /api/invoices/{id}/status';
const ARCHIVE = 'PATCH /api/invoices/{id}/archive';
const MANY = 'PATCH /api/invoices/admin/status';
const KEY = /^[0-9a-f-]{36}$/;

const { bar, box, dialog, groups, invoice, item, menu } = invoices;
const FIRST = idOf(5000);
const line = invoice(FIRST);
const button = (name: string) => dialog.getByRole('button', { name });
const unfold = async () => {
  await expect.element(groups.first()).toBeVisible();
  (groups.first().element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
};
const choose = async (of: string, what: string) => {
  await menu(of).click();
  await item(what).click();
};
const OF_FIRST = `invoice ${shortId(FIRST)}`;

/** A group of two invoices that keep what is done to them. */
function keeping(first: Partial<Invoice> = {}): { answers: Answers; archive(id: string): void } {
  let data = [invoiceOf(0, first), invoiceOf(1)];
  const change = (id: string | undefined, changes: (one: Invoice) => Partial<Invoice>) => {
    data = data.map((one) => (one.id === id ? { ...one, ...changes(one) } : one));
    return data.find((one) => one.id === id) as Invoice;
  };
  const paid =
    (is_paid: boolean) =>
    ({ amount }: Invoice): Partial<Invoice> => ({
      ...{ is_paid, status: is_paid ? 'paid' : 'pending', is_overdue: !is_paid },
      off_platform_amount: is_paid ? amount : '0',
    });
  const shown = () => data.filter(({ is_archived }) => !is_archived);
  return {
    archive: (id) => change(id, () => ({ is_archived: true })),
    answers: {
      [GROUPS]: () =>
        listed([
          groupOf(0, {
            invoice_count: shown().length,
            overdue_count: shown().filter(({ is_overdue }) => is_overdue).length,
          }),
        ]),
      [INVOICES_OF]: () => invoicesOf(shown()),
      [STATUS]: ({ params, body }) => ({ success: true, data: change(params.id, paid(body.is_paid)) }),
      [ARCHIVE]: ({ params, body: { is_archived } }) => ({
        success: true,
        data: change(params.id, () => ({ is_archived })),
      }),
      [MANY]: ({ body }): CallAnswer<typeof MANY> => {
        for (const { id } of data) change(id, paid(body.is_paid));
        return { success: true, data: { changed: data.length, unchanged: 0 } };
      },
    },
  };
}

test('an invoice is marked as paid after a question, and Undo takes it back', async () => {
  const { server } = await showGroups('', keeping());
  await unfold();
  await choose(OF_FIRST, 'Mark as paid');
  await expect.element(dialog).toHaveAccessibleName('Mark as paid');
  await expect
    .element(dialog)
    .toHaveAccessibleDescription('1 invoice of KAIT-1000, $100.50 outstanding, will be marked as paid.');
  await expect.element(dialog).toHaveTextContent('settles them off-platform');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(STATUS)).toEqual([]);

  (menu(OF_FIRST).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(item('Mark as paid')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Mark as paid')).toBeVisible();
  (button('Mark as paid').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(toastOf('Status updated')).toHaveTextContent('1 invoice(s) have been marked as paid');
  await expect.element(line.getByText('Off-platform')).toBeVisible();

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(toastOf('1 invoice(s) have been marked as unpaid')).toBeVisible();
  await expect.element(line.getByText('Overdue')).toBeVisible();
  const sent = server.sentTo(STATUS);
  expect(sent).toMatchObject([
    { params: { id: FIRST }, body: { is_paid: true }, key: expect.stringMatching(KEY) },
    { params: { id: FIRST }, body: { is_paid: false }, key: expect.stringMatching(KEY) },
  ]);
  expect(sent[0]?.key).not.toBe(sent[1]?.key);
});

test('a group is marked as paid as a whole, under the filters and the count of the screen', async () => {
  const { server } = await showGroups('?tab=unpaid&search=KAIT', keeping());
  await choose('KAIT-1000', 'Mark all as paid');
  await expect
    .element(dialog)
    .toHaveAccessibleDescription('2 invoices of KAIT-1000, $201.00 outstanding, will be marked as paid.');
  await button('Mark as paid').click();
  await expect.element(toastOf('2 invoice(s) have been marked as paid')).toBeVisible();
  await expect.element(groups.first()).not.toHaveTextContent(/overdue|due/);
  expect(server.sentTo(MANY)).toMatchObject([
    {
      body: {
        groups: { reference_numbers: ['KAIT-1000'], filters: { search: 'KAIT' }, in_archive: false },
        expected_count: 2,
        is_paid: true,
      },
      key: expect.stringMatching(KEY),
    },
  ]);
});

test('an invoice is archived, leaves the list, and comes back by Undo', async () => {
  const { server } = await showGroups('', keeping());
  await unfold();
  await choose(OF_FIRST, 'Archive');
  await expect.element(dialog).toHaveAccessibleName('Archive');
  await button('Archive').click();
  await expect.element(toastOf('1 invoice(s) have been archived')).toBeVisible();
  await expect.element(line).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(toastOf('1 invoice(s) have been restored')).toBeVisible();
  await expect.element(line).toBeVisible();
  expect(server.sentTo(ARCHIVE).map(({ body }) => body)).toMatchObject([
    { is_archived: true },
    { is_archived: false },
  ]);
});

test('above the limit of one person it asks for a reason, then says who has to approve, in the rows as well', async () => {
  const { answers } = keeping();
  let isWaiting = false;
  const { server } = await showGroups('', {
    answers: {
      ...answers,
      [INVOICES_OF]: () => invoicesOf([invoiceOf(0, { is_awaiting_approval: isWaiting }), invoiceOf(1)]),
      [MANY]: ({ body }) => {
        if (!body.reason) return refuse(422, 'write_off_reason_required', 'Say why it is given up');
        isWaiting = true;
        return { success: true, data: { order_id: idOf(1), state: 'awaiting_approval' } };
      },
    },
  });
  await unfold();
  await box('Select page').click();
  await bar.getByRole('button', { name: 'Mark as paid' }).click();
  await button('Mark as paid').click();
  const reason = dialog.getByLabelText('Reason');
  await expect.element(reason).toHaveAccessibleDescription(/^Say why/);
  await reason.fill('Settled with the community');
  await button('Mark as paid').click();
  await expect
    .element(toastOf('Waits for another super admin'))
    .toHaveTextContent('Nothing has changed yet.');
  await expect.element(line.getByText('Waits for approval')).toBeVisible();
  const sent = server.sentTo(MANY);
  expect(sent.at(-1)?.body).toMatchObject({ reason: 'Settled with the community' });
  // Another body under the same key would be refused.
  expect(sent[0]?.key).not.toBe(sent[1]?.key);
});

test('a payment on chain stays, and the dialog says why', async () => {
  const { answers } = keeping({
    ...{ is_paid: true, status: 'paid', is_overdue: false },
    ...{ paid_amount: '100.5', on_chain_amount: '100.5' },
  });
  await showGroups('', {
    answers: {
      ...answers,
      [STATUS]: refuse(
        409,
        'invoice_paid_on_chain',
        'A payment was seen on chain: it cannot be marked as unpaid',
      ),
    },
  });
  await unfold();
  await choose(OF_FIRST, 'Mark as unpaid');
  await expect.element(dialog).toHaveTextContent('1 of them was paid on chain');
  await button('Mark as unpaid').click();
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(/^Error updating status: .*seen on chain.*cannot be marked as unpaid/);
  await button('Cancel').click();
  await expect.element(line).toHaveTextContent('Paid');
});

test('a selection that changed meanwhile is reported, and the list reloads', async () => {
  const { answers, archive } = keeping();
  await showGroups('', {
    answers: { ...answers, [MANY]: refuse(409, 'selection_changed', 'The invoices have changed') },
  });
  await choose('KAIT-1000', 'Mark all as paid');
  await expect.element(dialog).toHaveAccessibleDescription(/outstanding/);
  archive(FIRST);
  await button('Mark as paid').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(toastOf('Error updating status')).toHaveTextContent('have changed');
  await expect.element(groups.first().getByRole('gridcell').nth(2)).toHaveTextContent(/^1$/);
});

test('a lost request is repeated under the same key', async () => {
  const { answers } = keeping();
  const { server } = await showGroups('', {
    answers: {
      ...answers,
      [STATUS]: () => {
        throw new TypeError('Failed to fetch');
      },
    },
  });
  await unfold();
  await choose(OF_FIRST, 'Mark as paid');
  await button('Mark as paid').click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Error updating status: Network error');
  server.answer(answers);
  await button('Mark as paid').click();
  await expect.element(toastOf('1 invoice(s) have been marked as paid')).toBeVisible();
  const keys = server.sentTo(STATUS).map(({ key }) => key);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('groups and invoices are marked together, on condition of what was on screen', async () => {
  const { server } = await showGroups('?tab=unpaid', {
    answers: {
      [MANY]: ({ body }) => ({ success: true, data: { changed: body.expected_count ?? 0, unchanged: 0 } }),
    },
  });
  await unfold();
  await expect.element(line).toBeVisible();
  await box('Select group KAIT-1001').click();
  await box(`Select invoice ${shortId(FIRST)}`).click();
  await bar.getByRole('button', { name: 'Mark as paid' }).click();
  await expect.element(dialog).toHaveAccessibleDescription(/^4 invoices of 2 traders, \$/);
  await button('Mark as paid').click();
  await expect.element(toastOf('4 invoice(s) have been marked as paid')).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  expect(server.sentTo(MANY).map(({ body }) => body)).toEqual([
    {
      groups: { reference_numbers: ['KAIT-1001'], filters: {}, in_archive: false },
      expected_count: 3,
      is_paid: true,
    },
    { invoice_ids: [FIRST], expected_count: 1, is_paid: true },
  ]);
  expect(server.sentTo(STATUS)).toEqual([]);
});

const PREVIEW = 'POST /api/invoices/admin/preview';
const effect = (changes: Partial<CallAnswer<typeof PREVIEW>['data']> = {}) => ({
  success: true as const,
  data: {
    selected: 341,
    traders: 120,
    changing: 320,
    sum: '35475.5',
    given_up: '35475.5',
    on_chain: 0,
    left_out: [],
    ...changes,
  },
});
const many = () =>
  listed(
    Array.from({ length: 3 }, (_, n) => groupOf(n)),
    120,
  );

test('all groups that match are marked, less those that are left out, once their number is typed', async () => {
  const { server } = await showGroups('?tab=unpaid&search=KAIT', {
    answers: {
      [GROUPS]: many(),
      [PREVIEW]: effect(),
      [MANY]: { success: true, data: { changed: 320, unchanged: 21 } },
    },
  });
  await box('Select page').click();
  await expect.element(bar).toHaveTextContent('Select all that match');
  await bar.getByRole('button', { name: 'Select all that match' }).click();
  await expect.element(bar).toHaveTextContent('All groups that match selected');
  await box('Select group KAIT-1001').click();
  await expect.element(bar).toHaveTextContent('All groups that match selected · without 1 group');
  await bar.getByRole('button', { name: 'Mark as paid' }).click();
  await expect
    .element(dialog)
    .toHaveAccessibleDescription(
      '320 invoices of 120 traders, $35,475.50 outstanding, will be marked as paid.',
    );
  await expect.element(dialog).toHaveTextContent('Selected341 invoicesWill change320Stay as they are21');
  await button('Mark as paid').click();
  await expect.element(dialog).toHaveTextContent('Type 320 to confirm');
  await dialog.getByRole('textbox', { name: /^Type the number of invoices/ }).fill('320');
  await button('Mark as paid').click();
  await expect.element(dialog).not.toBeInTheDocument();
  const matching = {
    tab: 'unpaid',
    filters: { search: 'KAIT', search_in: 'reference' },
    except: ['KAIT-1001'],
  };
  expect(server.sentTo(PREVIEW).at(-1)?.body).toMatchObject({
    act: 'pay',
    matching: { tab: 'unpaid', except: ['KAIT-1001'] },
  });
  expect(server.sentTo(MANY).map(({ body }) => body)).toMatchObject([
    { is_paid: true, expected_count: 341, matching: { tab: matching.tab, except: matching.except } },
  ]);
  await expect.element(bar).not.toBeInTheDocument();
});

test('archiving says in red how much is given up', async () => {
  await showGroups('', {
    answers: { [GROUPS]: many(), [PREVIEW]: effect({ changing: 3, given_up: '201.25' }) },
  });
  await box('Select page').click();
  await bar.getByRole('button', { name: /^Select all/ }).click();
  await bar.getByRole('button', { name: 'Archive' }).click();
  await expect.element(button('Archive: give up 201.25 USDT')).toBeVisible();
});

test('whoever owes in a selection is notified, and all that match as well', async () => {
  const BULK = 'POST /api/bulk-acts/preview';
  const { server } = await showGroups('?search=KAIT', {
    answers: {
      [GROUPS]: many(),
      [BULK]: { success: true, data: { total: 2, will: 2, left_out: [], amount: '201', rows: [] } },
    },
  });
  await box('Select group KAIT-1000').click();
  await bar.getByRole('button', { name: 'Notify' }).click();
  await expect.element(dialog).toHaveTextContent('Unpaid, of these201');
  await userEvent.keyboard('{Escape}');
  await bar.getByRole('button', { name: /^Select all/ }).click();
  await bar.getByRole('button', { name: 'Notify' }).click();
  await expect.poll(() => server.sentTo(BULK)).toHaveLength(2);
  const [one, all] = server.sentTo(BULK).map(({ body }) => body);
  expect(one).toMatchObject({ act: 'notify', trader_ids: [groupOf(0).trader?.id] });
  expect(all).toMatchObject({ act: 'notify', matching: { list: 'invoices', query: { search: 'KAIT' } } });
});

test('the selected groups and invoices alone are exported, or all groups that match less some', async () => {
  const EXPORT = 'POST /api/exports';
  const refused = refuse(409, 'exports_unfinished', 'Three exports of yours are not finished.');
  const { server } = await showGroups('?tab=unpaid', { answers: { [EXPORT]: refused } });
  await unfold();
  await expect.element(line).toBeVisible();
  await box('Select group KAIT-1001').click();
  await box(`Select invoice ${shortId(FIRST)}`).click();
  await bar.getByRole('button', { name: 'Export selected' }).click();
  await expect.element(page.getByText('Three exports of yours are not finished.')).toBeVisible();
  // With the paid invoices of an unpaid group, as the list shows it.
  expect(server.sentTo(EXPORT).map(({ body }) => body)).toEqual([
    {
      list: 'invoices',
      query: { is_archived: 'false', orderBy: 'created_at', orderDir: 'desc' },
      selected: { ids: [FIRST], trader_ids: [groupOf(1).trader?.id] },
    },
  ]);
  await bar.getByRole('button', { name: /^Select all/ }).click();
  await box('Select group KAIT-1001').click();
  await bar.getByRole('button', { name: 'Export selected' }).click();
  await expect
    .poll(() => server.sentTo(EXPORT).at(-1)?.body)
    .toMatchObject({ query: { is_paid: 'false' }, selected: { except: [groupOf(1).trader?.id] } });
});
