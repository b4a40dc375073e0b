import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { type Answers, refuse } from '../../../../testing/serve-calls.ts';
import { toastOf } from '../../../../testing/show-community.ts';
import { STAFF } from '../../../../testing/show-screen.tsx';
import { BYBIT, showTrader, trader } from '../../../../testing/show-trader.ts';

const CONNECT = 'POST /api/traders/{id}/exchange';
const REMOVE = 'DELETE /api/traders/{id}/exchange';
const PROVIDER = { id: BYBIT.provider_id, name: BYBIT.provider_name };
const ANSWERS: Answers = {
  'GET /api/traders/{id}/available-exchanges': {
    success: true,
    data: [
      {
        exchange: 'kucoin',
        providers: [PROVIDER],
        connected: 0,
        fields: ['apiKey', 'secretKey', 'passphrase'],
      },
      { exchange: 'bybit', providers: [PROVIDER], connected: 1, fields: ['apiKey', 'secretKey'] },
    ],
  },
};
const unreachable = () => {
  throw new TypeError('Failed to fetch');
};

const { dialog, keys, card } = trader;
const button = (name: string) => dialog.getByRole('button', { name, exact: true });
const field = (name: string) => dialog.getByLabelText(name);
const open = async () => {
  await keys.getByRole('button', { name: 'Connect exchange' }).click();
  await dialog.getByRole('combobox', { name: 'Exchange' }).selectOptions('bybit');
};

test('an account is connected with its credentials, and a key that may withdraw with a reason', async () => {
  const { server } = await showTrader(
    {},
    { answers: { ...ANSWERS, [CONNECT]: refuse(409, 'key_may_withdraw', 'This key may withdraw.') } },
  );
  await open();
  await expect.element(dialog).toHaveAccessibleName('Connect exchange');
  await button('Connect').click();
  const missing = dialog.getByText('For other exchanges, apiKey and secretKey are required.');
  await expect.poll(() => missing.elements()).toHaveLength(2);
  expect(server.sentTo(CONNECT)).toEqual([]);
  await field('API Key').fill('key of the test');
  await field('Secret Key').fill('secret of the test');
  await button('Connect').click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^This key may withdraw.$/);
  await field('Why this key may withdraw').fill('The trader insists');
  server.answer({ [CONNECT]: { success: true, data: { ...BYBIT, acc_uid: 'uid-new', may_withdraw: true } } });
  await button('Connect anyway').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(toastOf('Exchange connected')).toHaveTextContent('Bybit');
  expect(server.sentTo(CONNECT).at(-1)?.body).toEqual({
    exchange: 'bybit',
    provider_id: PROVIDER.id,
    apiKey: 'key of the test',
    secretKey: 'secret of the test',
    withdraw_reason: 'The trader insists',
  });

  // What was typed is gone with the dialog.
  await open();
  await expect.element(field('Secret Key')).toHaveValue('');
});

test('a refusal names the problem, and so does a connection that failed', async () => {
  const { server } = await showTrader({}, { answers: ANSWERS });
  await open();
  await field('API Key').fill('key');
  await field('Secret Key').fill('secret');
  for (const [answer, text] of [
    [
      refuse(422, 'exchange_refused', 'The exchange does not accept these credentials.'),
      'Setup failed: The exchange does not accept these credentials.',
    ],
    [unreachable, 'Network error occurred'],
  ] as const) {
    server.answer({ [CONNECT]: answer });
    await field('Secret Key').click();
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(text);
  }
});

test('an account is removed after a question, which says why it could not be', async () => {
  const { server } = await showTrader({}, { answers: { ...ANSWERS, [REMOVE]: unreachable } });
  const remove = card(BYBIT).getByRole('button', { name: 'Remove Bybit' });
  await remove.click();
  await expect.element(dialog).toHaveAccessibleName('Remove exchange');
  await button('Cancel').click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(REMOVE)).toEqual([]);
  await remove.click();
  await button('Remove').click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Failed to remove exchange');
  server.answer({ [REMOVE]: { success: true, data: { exchange: 'bybit', acc_uid: BYBIT.acc_uid } } });
  await button('Remove').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(toastOf('Exchange removed')).toHaveTextContent(`Bybit ${BYBIT.acc_uid}`);
  expect(server.sentTo(REMOVE).at(-1)?.body).toEqual({ exchange: 'bybit', acc_uid: BYBIT.acc_uid });
});

test('the key of a card is replaced: the exchange and the provider stay, the account is named', async () => {
  const { server } = await showTrader(
    {},
    {
      answers: {
        ...ANSWERS,
        [CONNECT]: refuse(409, 'exchange_other_account', 'This key belongs to another account.'),
      },
    },
  );
  const replace = card(BYBIT).getByRole('button', { name: `Replace key of Bybit ${BYBIT.acc_uid}` });
  await replace.click();
  await expect.element(dialog).toHaveAccessibleName('Replace key');
  await expect
    .element(dialog)
    .toHaveAccessibleDescription(
      /^Another key of the Bybit account uid-1\. The credentials of ada are tried/,
    );
  expect(dialog.getByRole('combobox').elements()).toEqual([]);
  await expect.element(field('API Key')).toHaveFocus();
  await field('API Key').fill('another key');
  await field('Secret Key').fill('another secret');
  await button('Replace').click();
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent('Setup failed: This key belongs to another account.');
  server.answer({ [CONNECT]: { success: true, data: BYBIT } });
  await button('Replace').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(toastOf('Key replaced')).toHaveTextContent('Bybit');
  await expect.element(replace).toHaveFocus();
  expect(server.sentTo(CONNECT).at(-1)?.body).toEqual({
    exchange: 'bybit',
    provider_id: PROVIDER.id,
    apiKey: 'another key',
    secretKey: 'another secret',
    replaces: BYBIT.acc_uid,
  });
});

test('whose role does not include exchange accounts replaces no key', async () => {
  const providers = STAFF.providers.map((provider) => ({ ...provider, role: 'viewer' as const }));
  await showTrader({}, { user: { ...STAFF, providers } });
  await expect.element(card(BYBIT)).toBeVisible();
  expect(
    card(BYBIT)
      .getByRole('button', { name: /^(Replace|Remove)/ })
      .elements(),
  ).toEqual([]);
});
