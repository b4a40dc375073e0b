import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refuse } from '../../../testing/serve-calls.ts';
import { toastOf } from '../../../testing/show-community.ts';
import { invoices, showGroups } from '../../../testing/show-invoices.ts';
import { idOf } from '../../../testing/show-screen.tsx';
import { COMMUNITY } from '../../../testing/show-traders.ts';
import { detailOf, linesOf, runOf } from '../../../testing/some-runs.ts';

const START = 'POST /api/invoices/runs';
const RUN = 'GET /api/invoices/runs/{id}';
const LINES = 'GET /api/invoices/runs/{id}/lines';
const NOTIFY = 'POST /api/invoices/trader/{id}/notify';
const KEY = expect.stringMatching(/^[0-9a-f-]{36}$/);
const { dialog, item, menu } = invoices;

test('invoicing is run for all or a community, at once or after a look, and followed on its page', async () => {
  const ofCommunity = { community_id: COMMUNITY.id, community: COMMUNITY.name };
  const { server, address } = await showGroups('', {
    answers: {
      'GET /api/communities': { success: true, data: [COMMUNITY], meta: { totals_at: null } },
      'GET /api/invoices/runs': { success: true, data: [runOf({ problem_count: 1 })], meta: { total: 1 } },
      [START]: { success: true, data: runOf({ state: 'preparing' }) },
      [RUN]: { success: true, data: detailOf({ state: 'preparing', ...ofCommunity }) },
      [LINES]: linesOf([]),
    },
  });
  await expect
    .element(page.getByRole('link', { name: /^Last invoicing .*: 5 invoices, \$121, 1 problem$/ }))
    .toBeVisible();
  await page.getByRole('button', { name: 'Run invoicing' }).click();
  await expect.element(dialog).toHaveAccessibleDescription(/^Closed positions of all traders .* leave out/);
  await dialog.getByRole('combobox', { name: 'For' }).selectOptions(COMMUNITY.name);
  await dialog.getByRole('combobox', { name: 'How' }).selectOptions('Invoice and notify at once');
  await expect
    .element(dialog)
    .toHaveAccessibleDescription(
      /^Closed positions of the traders of this community .* notified on Telegram/,
    );
  await expect.element(dialog.getByRole('button', { name: 'Run invoicing' })).toBeVisible();
  await dialog.getByRole('combobox', { name: 'How' }).selectOptions('Show me first what it would invoice');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect.element(page.getByText('The draft is prepared...')).toBeVisible();
  expect(address()).toBe(`/invoices/runs/${idOf(1)}`);
  expect(server.sentTo(START)).toMatchObject([
    { body: { community_id: COMMUNITY.id, draft: true }, key: KEY },
  ]);
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
