import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refuse } from '../../../testing/serve-calls.ts';
import { toastOf } from '../../../testing/show-community.ts';
import { AT, invoices, showGroups } from '../../../testing/show-invoices.ts';
import { idOf } from '../../../testing/show-screen.tsx';
import { COMMUNITY } from '../../../testing/show-traders.ts';

const START = 'POST /api/invoices/runs';
const RUN = 'GET /api/invoices/runs/{id}';
const NOTIFY = 'POST /api/invoices/trader/{id}/notify';
const KEY = expect.stringMatching(/^[0-9a-f-]{36}$/);
type Run = CallAnswer<typeof START>['data'];
const running: Run = {
  ...{ id: idOf(1), trader_id: null, community_id: null, state: 'running' },
  ...{ traders: 3, positions: 10, invoices: 2, amount: '120.5', requested_by: 'super@copydesk.example' },
  ...{ problem_count: 0, messages: { waiting: 0, failed: 0 }, created_at: AT, finished_at: null },
};
const done: Run = { ...running, state: 'done', invoices: 5, problem_count: 1, finished_at: AT };
const { dialog, item, menu } = invoices;

test('invoicing is run for all or a community, and followed to its end', async () => {
  const problems = [
    { trader_id: idOf(1), reference_number: 'KAIT-9', reason: 'no_deposit_address' as const },
    { trader_id: idOf(2), reference_number: 'KAIT-10', reason: 'unknown_profit' as const },
  ];
  let asked = 0;
  const { server } = await showGroups('', {
    answers: {
      'GET /api/communities': { success: true, data: [COMMUNITY], meta: { totals_at: null } },
      'GET /api/invoices/runs': { success: true, data: [done], meta: { total: 1 } },
      [START]: { success: true, data: running },
      [RUN]: () => {
        asked += 1;
        return { success: true, data: asked > 2 ? { ...done, problems } : { ...running, problems: [] } };
      },
    },
  });
  await expect.element(page.getByText(/^Last invoicing .*: 5 invoices, \$121, 1 problem$/)).toBeVisible();
  await page.getByRole('button', { name: 'Run invoicing' }).click();
  await expect.element(dialog).toHaveAccessibleDescription(/^Closed positions of all traders/);
  await dialog.getByRole('combobox', { name: 'For' }).selectOptions(COMMUNITY.name);
  await expect
    .element(dialog)
    .toHaveAccessibleDescription(/^Closed positions of the traders of this community/);
  await dialog.getByRole('button', { name: 'Run invoicing' }).click();
  await expect.element(dialog.getByText('Invoicing is running...')).toBeVisible();
  await expect.element(dialog.getByText('Invoicing is complete'), { timeout: 15_000 }).toBeVisible();
  expect(asked).toBeGreaterThanOrEqual(3);
  expect(server.sentTo(START)).toMatchObject([{ body: { community_id: COMMUNITY.id }, key: KEY }]);
  await expect.element(dialog).toHaveTextContent('$120.50');
  const list = dialog.getByRole('list', { name: 'Problems' });
  await expect.element(list).toHaveTextContent(/KAIT-9.*No deposit address/);
  await expect.element(list).toHaveTextContent(/KAIT-10.*no known USD value and was not invoiced/);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
});

const ask = async () => {
  await menu('KAIT-1000').click();
  await item('Notify of unpaid invoices').click();
};
const notify = dialog.getByRole('button', { name: 'Notify' });

test('a trader is notified of unpaid invoices after a question', async () => {
  const { server } = await showGroups('', {
    answers: {
      [NOTIFY]: { success: true, message: 'Queued for Telegram', data: { message_id: idOf(9) } },
    },
  });
  await ask();
  await expect.element(dialog).toHaveAccessibleDescription(/KAIT-1000.*Telegram message/);
  await notify.click();
  await expect.element(toastOf('Queued for')).toHaveTextContent('Queued for Telegram');
  expect(server.sentTo(NOTIFY)).toMatchObject([{ params: { id: idOf(2000) }, key: KEY }]);
});

test('a refused notification shows the reason in its dialog', async () => {
  const { server } = await showGroups();
  await ask();
  for (const [answer, shown] of [
    [refuse(503, 'unavailable', 'Not now.'), 'Failed to send notification. Please try again.'],
    [refuse(422, 'trader_not_reachable', 'No chat'), 'Unable to find trader information'],
    [
      refuse(409, 'nothing_unpaid', 'This trader has no unpaid invoices'),
      'This trader has no unpaid invoices',
    ],
  ] as const) {
    server.answer({ [NOTIFY]: answer });
    await notify.click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(shown);
  }
});
