import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type Answers, refuse } from '../../../testing/serve-calls.ts';
import { toastOf } from '../../../testing/show-community.ts';
import { idOf } from '../../../testing/show-screen.tsx';
import { showTrader, trader, traderOf } from '../../../testing/show-trader.ts';

const PATCH = 'PATCH /api/traders/{id}';
const START = 'POST /api/traders/{id}/refresh-aum';
const PROGRESS = 'GET /api/traders/{id}/refresh-aum';
type Refresh = CallAnswer<typeof PROGRESS>['data'];

const { dialog } = trader;
const status = page.getByRole('combobox', { name: 'Trader Status' });
const user = page.getByRole('region', { name: 'User Information' });
const aum = page.getByRole('region', { name: 'AUM Management' });
const edit = user.getByRole('button', { name: 'Edit KAIT number' });
const field = dialog.getByRole('textbox', { name: 'KAIT number' });
const button = (name: string) => dialog.getByRole('button', { name });

/** A trader that keeps what is changed. */
function changing(changes: Parameters<typeof traderOf>[0] = {}): Answers {
  let shown = traderOf(changes);
  return {
    'GET /api/traders/{id}': () => ({ success: true, data: shown }),
    [PATCH]: ({ body: { version: _, ...changed } }) => {
      shown = { ...shown, ...(changed as typeof changes), last_updated_by: 'super@example.com' };
      return { success: true, data: shown };
    },
  };
}

test('a status is changed after a question, by keyboard alone', async () => {
  const { server } = await showTrader({}, { answers: changing() });
  await expect.element(status).toHaveValue('connected');
  const ask = () => status.selectOptions('delinquent');
  await ask();
  await expect.element(dialog).toHaveAccessibleName('Confirm Status Change');
  await expect
    .element(dialog)
    .toHaveAccessibleDescription(
      'Are you sure you want to change the status of trader ada from Connected to Delinquent?',
    );
  for (const leave of [
    () => userEvent.keyboard('{Escape}'),
    () => button('Cancel').click(),
    () => userEvent.click(document.body, { position: { x: 5, y: 400 }, force: true }),
  ]) {
    if (dialog.elements().length === 0) await ask();
    await expect.element(dialog).toBeVisible();
    await leave();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(status).toHaveValue('connected');
  }
  await status.selectOptions('connected');
  expect(dialog.elements()).toEqual([]);
  expect(server.sentTo(PATCH)).toEqual([]);

  await ask();
  await expect.element(button('Confirm')).toBeVisible();
  (button('Confirm').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(status).toHaveValue('delinquent');
  await expect.element(page.getByText('Last updated by super@example.com')).toBeVisible();
  await expect.element(toastOf('Status updated')).toHaveTextContent('The trader is now Delinquent.');
  expect(server.sentTo(PATCH)).toMatchObject([
    { params: { id: idOf(1) }, body: { status: 'delinquent', version: '0123456789abcdef' } },
  ]);
});

test('connecting a trader below the minimum balance says so, and only then', async () => {
  await showTrader({ status: 'pending', below_minimum_balance: 500 });
  await expect.element(page.getByText('Below minimum balance')).toBeVisible();
  await status.selectOptions('connected');
  await expect
    .element(dialog)
    .toHaveTextContent('Its balance is below the minimum balance of its community, $500.');
  await button('Cancel').click();
  await status.selectOptions('delinquent');
  await expect.element(dialog).toBeVisible();
  await expect.element(dialog).not.toHaveTextContent('below the minimum balance');
});

test('the KAIT number is edited, saved once, and removed when empty', async () => {
  const answers = changing();
  const { server } = await showTrader({}, { answers });
  await edit.click();
  await expect.element(dialog).toHaveAccessibleName('Edit KAIT Number');
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue('KAIT-1');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(edit).toHaveFocus();

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const save = answers[PATCH] as (sent: unknown) => CallAnswer<typeof PATCH>;
  server.answer({
    [PATCH]: async (sent) => {
      await held;
      return save(sent);
    },
  });
  await edit.click();
  await field.fill('KAIT-2');
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Saving...')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  release();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(PATCH).map(({ body }) => body)).toMatchObject([{ reference_number: 'KAIT-2' }]);
  await expect.element(user.getByText('KAIT-2')).toBeVisible();
  await expect.element(page.getByText('KAIT number KAIT-2')).toBeVisible();

  await edit.click();
  await field.fill('  ');
  await button('Save').click();
  await expect.element(user.getByText('Not set')).toBeVisible();
  await expect.element(page.getByText('No reference number')).toBeVisible();
  expect(server.sentTo(PATCH).at(-1)?.body).toMatchObject({ reference_number: null });
});

test('a number of another trader, or a status that could not be saved: it says why', async () => {
  const { server } = await showTrader(
    {},
    {
      answers: {
        ...changing(),
        [PATCH]: refuse(409, 'reference_number_taken', 'This reference number belongs to another trader'),
      },
    },
  );
  await edit.click();
  await field.fill('KAIT-9');
  await button('Save').click();
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(
      /^Failed to update reference number. Please try again. This reference number belongs to another trader.$/,
    );
  await button('Cancel').click();
  await expect.element(user.getByText('KAIT-1')).toBeVisible();

  server.answer({ [PATCH]: refuse(503, 'unavailable', 'Not now.') });
  await status.selectOptions('pending');
  await button('Confirm').click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^Not now.$/);
  await button('Cancel').click();
  await expect.element(status).toHaveValue('connected');
});

test('an AUM refresh shows the number of accounts read, its outcome, and a failed request', async () => {
  const idle: Refresh = {
    ...{ state: 'idle', requested_at: null, total: 0, done: 0, failed: 0 },
    ...{ aum: 5, aum_read_at: null },
  };
  let state = idle;
  const { server } = await showTrader(
    {},
    {
      answers: {
        [PROGRESS]: () => ({ success: true, data: state }),
        [START]: () => {
          throw new TypeError('Failed to fetch');
        },
      },
    },
  );
  const refresh = aum.getByRole('button', { name: 'Refresh AUM' });
  await refresh.click();
  await expect.element(aum.getByText('Failed to refresh AUM. Please try again.')).toBeVisible();
  server.answer({
    [START]: () => {
      state = { ...idle, requested_at: '2099-01-01T00:00:00.000Z', state: 'running', total: 3, done: 1 };
      return { success: true, data: state };
    },
  });
  for (const [failed, text] of [
    [0, 'AUM refreshed successfully!'],
    [1, 'AUM refreshed in part: 1 of 3 accounts could not be read, its last known balance counts.'],
    [3, 'Failed to refresh AUM. Please try again.'],
  ] as const) {
    await refresh.click();
    await expect.element(aum.getByRole('button', { name: 'Refreshing AUM...' })).toBeVisible();
    await expect.element(aum.getByText('1 of 3 accounts')).toBeVisible();
    state = { ...state, state: 'done', done: 3, failed };
    await expect.element(aum.getByText(text), { timeout: 5_000 }).toBeVisible();
    await expect.element(refresh).toBeVisible();
  }
});
