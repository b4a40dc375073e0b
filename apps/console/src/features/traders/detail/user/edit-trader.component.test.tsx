import type { Trader } from '@copydesk/contract/traders';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../../../testing/serve-calls.ts';
import { toastOf } from '../../../../testing/show-community.ts';
import { STAFF } from '../../../../testing/show-screen.tsx';
import { showTrader, trader, traderOf } from '../../../../testing/show-trader.ts';

const PATCH = 'PATCH /api/traders/{id}';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const PERSON = {
  name: 'Ada Berg',
  email: 'ada@example.com',
  telegram_username: '@ada',
  telegram_user_id: '4711',
  external_wallet_address: ADDRESS,
};

const { dialog } = trader;
const user = page.getByRole('region', { name: 'User Information' });
const edit = user.getByRole('button', { name: 'Edit', exact: true });
const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
const save = dialog.getByRole('button', { name: 'Save' });

/** A trader that keeps what is changed, each time under another version. */
function keeping(changes: Partial<Trader>) {
  let shown = traderOf(changes);
  let version = 1;
  const put = (changed: Partial<Trader>) => {
    shown = { ...shown, ...changed, version: String(version++).padStart(16, '0') };
  };
  const answers: Answers = {
    'GET /api/traders/{id}': () => ({ success: true, data: shown }),
    [PATCH]: ({ body: { version: _, last_updated_by: __, ...changed } }) => {
      put(changed as Partial<Trader>);
      return { success: true, data: shown };
    },
  };
  return { answers, put };
}

test('the dialog shows what is stored, sends what differs, and the page shows it', async () => {
  const { answers } = keeping(PERSON);
  const { server } = await showTrader({}, { answers });
  await edit.click();
  await expect.element(dialog).toHaveAccessibleName('Edit trader');
  await expect.element(field('Name')).toHaveFocus();
  for (const [name, value] of [
    ['Name', 'Ada Berg'],
    ['E-mail', 'ada@example.com'],
    ['Telegram username', 'ada'],
    ['Telegram ID', '4711'],
    ['Payout address', ADDRESS],
  ] as const)
    await expect.element(field(name)).toHaveValue(value);
  await expect.element(dialog.getByRole('combobox', { name: 'Language' })).toHaveValue('en');
  await expectAccessible();

  // Nothing that is the same in another form is a change.
  await field('Telegram username').fill('@ada');
  await field('E-mail').fill(' Ada@Example.com');
  await field('Payout address').fill(ADDRESS.toLowerCase());
  await save.click();
  await expect.element(toastOf('No changes to save')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(edit).toHaveFocus();
  expect(server.sentTo(PATCH)).toEqual([]);

  await edit.click();
  await field('Name').fill('\u202eБорис\u202c Петров');
  await field('Telegram username').fill('boris');
  await field('E-mail').fill('\u200e');
  await dialog.getByRole('combobox', { name: 'Language' }).selectOptions('ru');
  await userEvent.click(field('Name'));
  await userEvent.keyboard('{Enter}');
  await expect.element(toastOf('Trader updated')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(PATCH).map(({ body }) => body)).toEqual([
    {
      name: 'Борис Петров',
      email: null,
      telegram_username: 'boris',
      language: 'ru',
      version: '0123456789abcdef',
    },
  ]);
  await expect.element(user.getByText('Борис Петров')).toBeVisible();
  await expect.element(user.getByText('@boris')).toBeVisible();
  await expect.element(page.getByRole('heading', { level: 1, name: 'boris' })).toBeVisible();
});

test('what is wrong is said at its field, before it is sent and after the server has looked', async () => {
  const { answers } = keeping({});
  const { server } = await showTrader({}, { answers });
  await edit.click();
  await field('E-mail').fill('ada@mail');
  await field('Telegram ID').fill('@ada');
  await save.click();
  await expect.element(field('E-mail')).toHaveAccessibleDescription('Enter an e-mail address, or nothing');
  await expect
    .element(field('Telegram ID'))
    .toHaveAccessibleDescription('Enter the digits of the Telegram ID, or nothing');
  expect(server.sentTo(PATCH)).toEqual([]);

  await field('E-mail').fill('');
  await field('Telegram ID').fill(' 4711\u200e');
  const taken = 'This Telegram ID belongs to another trader of the community';
  server.answer({
    [PATCH]: refuse(409, 'telegram_id_taken', taken, [{ path: 'telegram_user_id', message: taken }]),
  });
  await save.click();
  await expect.element(field('Telegram ID')).toHaveAccessibleDescription(taken);
  await expect.element(field('Telegram ID')).toHaveFocus();
  await expect.element(dialog.getByRole('alert')).toBeEmptyDOMElement();
  await expectAccessible();
  const wrong = 'Invalid input: the checksum of the address is wrong';
  server.answer({
    [PATCH]: refuse(400, 'validation_failed', `external_wallet_address: ${wrong}`, [
      { path: 'external_wallet_address', message: wrong },
    ]),
  });
  await field('Payout address').fill(ADDRESS.replace('EE7', 'Ee7'));
  await save.click();
  await expect.element(field('Payout address')).toHaveAccessibleDescription(wrong);

  server.answer({ [PATCH]: refuse(503, 'unavailable', 'Not now.') });
  await save.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^Not now.$/);
  expect(server.sentTo(PATCH).at(-1)?.body).toMatchObject({ telegram_user_id: '4711' });
});

test('a number or address of an earlier time stays, and hinders no other change', async () => {
  const { answers } = keeping({ telegram_user_id: '00812345678901234567', email: 'no address' });
  const { server } = await showTrader({}, { answers });
  await edit.click();
  await field('Name').fill('Ada Lovelace');
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(PATCH).map(({ body }) => body)).toEqual([
    { name: 'Ada Lovelace', version: '0123456789abcdef' },
  ]);
});

test('a trader that another person has changed meanwhile keeps what was typed, beside what they wrote', async () => {
  const { answers, put } = keeping(PERSON);
  const { server } = await showTrader({}, { answers });
  await edit.click();
  await field('Name').fill('Ada Typed');
  put({ name: 'Ada Theirs', telegram_username: 'ada_theirs' });
  const kept = answers[PATCH];
  server.answer({ [PATCH]: refuse(409, 'changed_meanwhile', 'This was changed by Bo meanwhile.') });
  await save.click();
  await expect.element(dialog.getByText(/^Another person changed some of what you changed/)).toBeVisible();
  await expect.element(field('Name')).toHaveValue('Ada Typed');
  await expect.element(dialog.getByText('“Ada Theirs”')).toBeVisible();
  await expect.element(field('Telegram username')).toHaveValue('ada_theirs');
  server.answer({ [PATCH]: kept });
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(PATCH).at(-1)?.body).toEqual({ name: 'Ada Typed', version: '0000000000000001' });
});

test.each(['سارة عبد الرحمن العلي', 'Александра Константинопольская-Преображенская '.repeat(4).trim()])(
  'a name in another script, or a long one, fits: %s',
  async (name) => {
    await showTrader({ ...PERSON, name, telegram_username: null }, { width: 390, height: 844 });
    await edit.click();
    await expect.element(field('Name')).toHaveValue(name);
    await expectAccessible();
    for (const width of [390, 1440]) {
      await page.viewport(width, 844);
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    }
  },
);

test('whose role does not include changes of traders is offered none', async () => {
  const providers = STAFF.providers.map((provider) => ({ ...provider, role: 'viewer' as const }));
  await showTrader(PERSON, { user: { ...STAFF, providers } });
  await expect.element(user.getByText('Ada Berg')).toBeVisible();
  expect(edit.elements()).toEqual([]);
});
