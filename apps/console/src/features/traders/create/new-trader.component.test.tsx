import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../../app/query-client.ts';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { type Answers, never, refuse } from '../../../testing/serve-calls.ts';
import { toastOf } from '../../../testing/show-community.ts';
import { idOf, STAFF } from '../../../testing/show-screen.tsx';
import { AT, traderOf } from '../../../testing/show-trader.ts';
import { COMMUNITY, showTraders } from '../../../testing/show-traders.ts';

const CREATE = 'POST /api/traders';
const PROVIDERS = 'GET /api/communities/{id}/providers';
const COMMUNITIES = 'GET /api/communities';
type Link = CallAnswer<typeof PROVIDERS>['data'][number];

const linkOf = (n: number, name: string, changes: Partial<Link> = {}): Link => ({
  provider_id: idOf(900 + n),
  display_name: name,
  custom_display_name: null,
  is_active: true,
  is_provider_active: true,
  payment_split_percentage: 0.7,
  supported_exchanges: [],
  trader_count: 0,
  account_count: 0,
  linked_at: AT,
  version: '0123456789abcdef',
  ...changes,
});
const AURORA = linkOf(1, 'Aurora');
const BOREALIS = linkOf(2, 'Borealis');
/** Of one that its traders cannot choose, and one that ended. */
const CLOSED = [linkOf(3, 'Closed', { is_active: false }), linkOf(4, 'Ended', { is_provider_active: false })];
const links = (...data: Link[]) => ({ success: true as const, data });
const communities = (...data: (typeof COMMUNITY)[]) => ({
  success: true as const,
  data,
  meta: { totals_at: null },
});
const OTHER = { ...COMMUNITY, id: idOf(3), name: 'نادي التداول' };
const ARCHIVED = { ...COMMUNITY, id: idOf(4), name: 'Left', is_archived: true };
const CREATED = traderOf({ id: idOf(77), name: 'Борис', telegram_username: null });
const ANSWERS: Answers = {
  [COMMUNITIES]: communities(COMMUNITY, OTHER, ARCHIVED),
  [PROVIDERS]: ({ params }) =>
    params.id === COMMUNITY.id ? links(AURORA, BOREALIS, ...CLOSED) : links(BOREALIS),
  [CREATE]: { success: true, data: CREATED },
  // It opens.
  'GET /api/traders/{id}': never,
};

const button = page.getByRole('button', { name: 'New trader' });
const dialog = page.getByRole('dialog', { name: 'New trader' });
const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
const choice = (name: string) => dialog.getByRole('combobox', { name });
const create = dialog.getByRole('button', { name: 'Create trader' });
const optionsOf = (name: string) =>
  [...(choice(name).element() as HTMLSelectElement).options].map(({ text }) => text);

test('a trader is created in a community under one of its providers, and opens', async () => {
  const { server, address } = await showTraders('', { answers: ANSWERS });
  await button.click();
  await expect.element(choice('Community')).toHaveFocus();
  expect(optionsOf('Community')).toEqual(['Choose a community', 'Blue Harbor', '⁨نادي التداول⁩']);
  await expect.element(choice('Provider')).toBeDisabled();
  expect(optionsOf('Provider')).toEqual(['Community first']);
  await create.click();
  await expect.element(choice('Community')).toHaveAccessibleDescription('Choose a community');
  await choice('Community').selectOptions('Blue Harbor');
  await expect.element(choice('Provider')).toBeEnabled();
  expect(optionsOf('Provider')).toEqual(['Choose a provider', 'Aurora', 'Borealis']);
  await create.click();
  await expect.element(choice('Provider')).toHaveAccessibleDescription('Choose a provider');
  await choice('Provider').selectOptions('Aurora');
  await field('Name').fill('\u202bБорис\u202c ');
  await field('E-mail').fill('Boris@Example.com ');
  await field('Telegram username').fill('@boris');
  await field('Telegram ID').fill('4711 ');
  await choice('Language').selectOptions('ru');
  await field('Reference number').fill(' KAIT-77 ');
  await expectAccessible();
  await create.click();
  await expect.element(toastOf('Trader created')).toBeVisible();
  expect(server.sentTo(CREATE).map(({ body }) => body)).toEqual([
    {
      community_id: COMMUNITY.id,
      selected_provider_id: AURORA.provider_id,
      name: 'Борис',
      email: 'boris@example.com',
      telegram_username: 'boris',
      telegram_user_id: '4711',
      language: 'ru',
      reference_number: 'KAIT-77',
    },
  ]);
  await expect.poll(address).toBe(`/trader/${CREATED.id}`);
});

test('another community has its own providers, the only one is chosen, and a code is sent where there is one', async () => {
  const { server } = await showTraders('', { answers: ANSWERS });
  await button.click();
  await choice('Community').selectOptions(COMMUNITY.id);
  await choice('Provider').selectOptions('Aurora');
  await choice('Community').selectOptions(OTHER.id);
  await expect.poll(() => optionsOf('Provider')).toEqual(['Borealis']);
  await field('Referral code').fill(' ADA2345 ');
  await create.click();
  await expect
    .poll(() => server.sentTo(CREATE).map(({ body }) => body))
    .toEqual([
      {
        community_id: OTHER.id,
        selected_provider_id: BOREALIS.provider_id,
        name: null,
        email: null,
        telegram_username: null,
        telegram_user_id: null,
        language: 'en',
        reference_number: null,
        referral_code: 'ADA2345',
      },
    ]);
});

test('one who sees one community and provider has them chosen; the filter of the list chooses as well', async () => {
  const answers = { ...ANSWERS, [COMMUNITIES]: communities(COMMUNITY), [PROVIDERS]: links(AURORA) };
  const { unmount } = await showTraders('', { answers, user: STAFF });
  await button.click();
  await expect.element(choice('Community')).toHaveValue(COMMUNITY.id);
  await expect.element(choice('Provider')).toHaveValue(AURORA.provider_id);
  await unmount();
  queryClient.clear();
  await showTraders(`?community=${OTHER.id}`, { answers: ANSWERS });
  await button.click();
  await expect.element(choice('Community')).toHaveValue(OTHER.id);
  await expect.element(choice('Provider')).toHaveValue(BOREALIS.provider_id);
});

test('refusals are said at their fields, and the dialog keeps what was typed', async () => {
  const answers = { ...ANSWERS, [COMMUNITIES]: communities(COMMUNITY), [PROVIDERS]: links(AURORA) };
  const { server } = await showTraders('', { answers });
  await button.click();
  await expect.element(choice('Provider')).toHaveValue(AURORA.provider_id);
  await field('E-mail').fill('ada@');
  await field('Telegram ID').fill('@ada');
  await create.click();
  await expect.element(field('E-mail')).toHaveAccessibleDescription('Enter an e-mail address, or nothing');
  expect(server.sentTo(CREATE)).toEqual([]);
  await field('E-mail').fill('');
  await field('Telegram ID').fill('4711');
  await field('Reference number').fill('KAIT-1');
  await field('Referral code').fill('NOPE');
  for (const [name, path, code, text] of [
    ['Telegram ID', 'telegram_user_id', 'telegram_id_taken', 'This Telegram ID belongs to another trader'],
    ['Reference number', 'reference_number', 'reference_number_taken', 'This reference number is taken'],
    ['Referral code', 'referral_code', 'not_found', 'Not found: no trader has this referral code'],
  ] as const) {
    server.answer({
      [CREATE]: refuse(code === 'not_found' ? 404 : 409, code, text, [{ path, message: text }]),
    });
    await create.click();
    await expect.element(field(name)).toHaveAccessibleDescription(text);
    await expect.element(field(name)).toHaveFocus();
  }
  server.answer({
    [CREATE]: refuse(409, 'community_archived', 'This community is archived', [
      { path: 'community_id', message: 'This community is archived' },
    ]),
  });
  await create.click();
  await expect.element(choice('Community')).toHaveAccessibleDescription('This community is archived');
  server.answer({ [CREATE]: refuse(503, 'unavailable', 'Not now.') });
  await create.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^Not now.$/);
  await expect.element(field('Reference number')).toHaveValue('KAIT-1');
});

test('no provider, none loaded, and none yet: it says so', async () => {
  const answers = {
    ...ANSWERS,
    [COMMUNITIES]: communities(COMMUNITY),
    [PROVIDERS]: links(...CLOSED),
  };
  const first = await showTraders('', { answers });
  await button.click();
  await expect.element(dialog.getByText(/^No active provider of this community may be chosen/)).toBeVisible();
  await expect.element(create).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible();
  await first.unmount();
  queryClient.clear();

  const second = await showTraders('', {
    answers: { ...answers, [PROVIDERS]: refuse(403, 'x', 'Not you.') },
  });
  await button.click();
  await expect.element(dialog.getByText('The providers could not be loaded. Not you.')).toBeVisible();
  second.server.answer({ [PROVIDERS]: links(AURORA) });
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect.element(choice('Provider')).toHaveValue(AURORA.provider_id);
  await second.unmount();
  queryClient.clear();

  await showTraders('', { answers: { ...answers, [PROVIDERS]: never } });
  await button.click();
  await expect.poll(() => optionsOf('Provider')).toEqual(['Loading...']);
});

test.each([
  [communities(ARCHIVED), 'No community'],
  [refuse(403, 'x', 'Not you.'), 'The communities could not be loaded'],
])('without a community there is no form', async (answer, title) => {
  await showTraders('', { answers: { ...ANSWERS, [COMMUNITIES]: answer } });
  await button.click();
  await expect.element(dialog.getByRole('heading', { name: title })).toBeVisible();
  expect(create.elements()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

test('whose role does not include changes of traders is offered none', async () => {
  const providers = STAFF.providers.map((provider) => ({ ...provider, role: 'viewer' as const }));
  await showTraders('', { user: { ...STAFF, providers } });
  await expect.element(page.getByText('Total AUM, your part')).toBeVisible();
  expect(button.elements()).toEqual([]);
});
