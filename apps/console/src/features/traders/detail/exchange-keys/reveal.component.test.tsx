import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/expect-accessible.ts';
import { expectAbout, fakeTime, pass, spyClipboard } from '../../../../testing/faked-time.ts';
import { refuse } from '../../../../testing/serve-calls.ts';
import { AT, BYBIT, showTrader, trader, traderOf } from '../../../../testing/show-trader.ts';

const REVEAL = 'POST /api/traders/{id}/exchange/reveal';
const { card, dialog, keys } = trader;

test('the eleventh account of an hour is shown after a reason, which only a click is asked for', async () => {
  const revealed = {
    ...BYBIT,
    last_reveal: { field: 'api_key' as const, at: AT, by: 'Super', by_id: 'super-1' },
  };
  let shown = traderOf({});
  const { server } = await showTrader(
    {},
    {
      answers: {
        'GET /api/traders/{id}': () => ({ success: true, data: shown }),
        [REVEAL]: ({ body }) => {
          if (body.reason === undefined)
            return refuse(403, 'reveal_reason_required', 'Repeat this request with a reason');
          shown = traderOf({ exchanges: [revealed] });
          return { success: true, data: { field: body.field, value: 'plain', reveals_left: 2 } };
        },
      },
    },
  );
  const account = card(BYBIT);
  await expect.element(account.getByRole('button', { name: 'Copy API Key' })).toBeVisible();
  (account.getByRole('button', { name: 'Copy API Key' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Tab}');
  const row = account.getByRole('button', { name: 'Give a reason: click to reveal' });
  await expect.element(row).toBeVisible();
  expect(dialog.elements()).toEqual([]);

  await row.click();
  await expect.element(dialog).toHaveTextContent('You have revealed ten accounts within an hour.');
  await dialog.getByRole('button', { name: 'Reveal' }).click();
  await expect.element(dialog).toHaveTextContent('Enter a reason');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(REVEAL).filter(({ body }) => 'reason' in (body as object))).toEqual([]);

  await row.click();
  await expect.element(dialog.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
  await userEvent.keyboard('The trader asked for it{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .element(keys.getByText('You can reveal 2 more accounts within the hour without a reason.'))
    .toBeVisible();
  expect(server.sentTo(REVEAL).at(-1)?.body).toMatchObject({ reason: 'The trader asked for it' });
  await expect.element(account.getByText(/^API Key revealed by you/)).toBeVisible();
});

test('Copy copies the stored secret and says so for two seconds', async () => {
  const copied = spyClipboard();
  const answer = {
    success: true as const,
    data: { field: 'secret_key' as const, value: 'plain', reveals_left: 9 },
  };
  await showTrader({}, { answers: { [REVEAL]: answer } });
  const account = card(BYBIT);
  const copy = account.getByRole('button', { name: 'Copy Secret Key' });
  await expect.element(copy).toBeVisible();
  fakeTime();
  await copy.click();
  const since = Date.now();
  const done = account.getByText('Copied', { exact: true });
  await expect.element(done).toBeVisible();
  expect(copied.mock.calls).toEqual([['plain']]);
  expect(page.getByText('plain', { exact: true }).elements()).toEqual([]);
  await pass(1_900 - (Date.now() - since));
  expect(done.elements()).toHaveLength(1);
  await expect.element(done).not.toBeInTheDocument();
  expectAbout(Date.now() - since, 2_000);
});
