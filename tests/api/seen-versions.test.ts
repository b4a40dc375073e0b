import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let product: TestApp;
let ada: string;
let bo: string;
let staffId: string;
let providerId: string;
let communityId: string;
let traderId: string;
let faq: { id: string; bot: string };
beforeAll(async () => {
  product = await createTestApp();
  [ada, bo] = await Promise.all([product.signIn('super'), product.signIn('super-2')]);
  const [person] = await list('GET /api/users', { search: 'staff-multi@demo.example' });
  const [community] = await list('GET /api/super-admin/communities');
  staffId = person.id;
  communityId = community.id;
  const { data } = (await as(ada)('GET /api/communities/{id}/providers', params({ id: communityId }))).json();
  providerId = data[0].provider_id;
  traderId = (await list('GET /api/traders', { limit: '1' }))[0].id;
  for (const { id } of await list('GET /api/super-admin/communities')) {
    const bot = await one('GET /api/exchange-bot/community/{id}', { id });
    if (bot)
      faq = { id: (await one('GET /api/exchange-bot/{id}/custom-faqs', { id: bot.id }))[0].id, bot: bot.id };
  }
});
afterAll(() => product.close());

const as =
  (who: string) =>
  (call: string, parts: Parameters<typeof send>[2] = {}) =>
    send(product.app, call, parts, who);
const params = (values: Record<string, string>) => ({ params: values });
const list = async (call: string, query = {}) => (await as(ada)(call, { query })).json().data;

interface Form {
  name: string;
  change: string;
  params(): Record<string, string>;
  read(): Promise<{ version: string } & Record<string, unknown>>;
  /** Changes by two people, in the first round and in the second. */
  changes(round: 1 | 2): [object, object];
}
const one = async (call: string, values: Record<string, string>) =>
  (await as(ada)(call, params(values))).json().data;
const found = async (call: string, isWanted: (row: Record<string, unknown>) => boolean, values = {}) =>
  (await one(call, values)).find(isWanted);

const forms: Form[] = [
  {
    name: 'the access of a person',
    change: 'PATCH /api/users/{id}',
    params: () => ({ id: staffId }),
    read: () => one('GET /api/users/{id}', { id: staffId }),
    changes: (round) => [
      { super: round === 1 },
      { provider_access: { removed: [providerId] }, admin: false },
    ],
  },
  {
    name: 'the settings of a community',
    change: 'PATCH /api/communities/{id}',
    params: () => ({ id: communityId }),
    read: () => found('GET /api/super-admin/communities', ({ id }) => id === communityId),
    changes: (round) => [{ owner_name: `Owner ${round}` }, { minimum_balance: 770 + round }],
  },
  {
    name: 'a setting of a community',
    change: 'PATCH /api/super-admin/communities/{id}',
    params: () => ({ id: communityId }),
    read: () => found('GET /api/super-admin/communities', ({ id }) => id === communityId),
    changes: (round) => [{ minimum_balance: 780 + round }, { minimum_balance: 790 + round }],
  },
  {
    name: 'a provider of a community',
    change: 'PUT /api/communities/{id}/providers/{providerId}',
    params: () => ({ id: communityId, providerId }),
    read: () =>
      found('GET /api/communities/{id}/providers', ({ provider_id }) => provider_id === providerId, {
        id: communityId,
      }),
    changes: (round) => [{ custom_display_name: `One ${round}` }, { is_active: false }],
  },
  {
    name: 'a provider',
    change: 'PUT /api/providers/{id}',
    params: () => ({ id: providerId }),
    read: () => one('GET /api/providers/{id}', { id: providerId }),
    changes: (round) => [{ telegram_admin_channel_id: `-${round}` }, { display_name: 'Renamed' }],
  },
  {
    name: 'a recipient of the platform',
    change: 'PUT /api/platform-settings/recipients/{type}',
    params: () => ({ type: 'sixk' }),
    read: () =>
      found('GET /api/platform-settings/recipients', ({ recipient_type }) => recipient_type === 'sixk'),
    changes: (round) => [
      { address: `0x00000000000000000000000000000000000000a${round}` },
      { address: `0x00000000000000000000000000000000000000b${round}` },
    ],
  },
  {
    name: 'a trader',
    change: 'PATCH /api/traders/{id}',
    params: () => ({ id: traderId }),
    read: () => one('GET /api/traders/{id}', { id: traderId }),
    changes: (round) => [
      { reference_number: `SEEN-${round}` },
      { external_wallet_address: '0x00000000000000000000000000000000000000c1' },
    ],
  },
  {
    name: 'a question of a bot',
    change: 'PATCH /api/exchange-bot/custom-faqs/{id}',
    params: () => ({ id: faq.id }),
    read: () => found('GET /api/exchange-bot/{id}/custom-faqs', ({ id }) => id === faq.id, { id: faq.bot }),
    changes: (round) => [{ answer: `Answer ${round}` }, { question: `Question ${round}?` }],
  },
];

test.each(forms)('$name: a change on the ground of old values is refused with both sides', async (form) => {
  const { version } = await form.read();
  const [first, second] = form.changes(1);
  const send = (who: string, change: object) =>
    as(who)(form.change, { ...params(form.params()), body: { ...change, version } });
  const won = await send(bo, first);
  expect(won.statusCode, won.body).toBe(200);
  const present = await form.read();
  expect(present.version).not.toBe(version);

  const refused = await send(ada, second);
  expect(refused.statusCode, refused.body).toBe(409);
  expect(refused.json()).toMatchObject({
    error: 'changed_meanwhile',
    message: 'This was changed by super-2@demo.example meanwhile.',
  });
  expect(
    refused
      .json()
      .details.map(({ path }: { path: string }) => path)
      .sort(),
  ).toEqual(Object.keys(second).sort());
  for (const detail of refused.json().details)
    expect(Object.keys(detail).sort()).toEqual(['message', 'path', 'theirs', 'yours']);
  expect(await form.read()).toEqual(present);
});

test.each(forms)('$name: of two changes at once, one is made', async (form) => {
  const { version } = await form.read();
  const answers = await Promise.all(
    form
      .changes(2)
      .toReversed()
      .map((change, index) =>
        as(index === 0 ? ada : bo)(form.change, {
          ...params(form.params()),
          body: { ...change, version },
        }),
      ),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort(), answers[0]?.body).toEqual([200, 409]);
});

test('a demoted super admin stays one in a stale dialog, and taking away needs no version', async () => {
  const secondId = (await list('GET /api/users', { search: 'super-2@demo.example' }))[0].id;
  const { version } = await one('GET /api/users/{id}', { id: secondId });
  const change = (body: object) => as(ada)('PATCH /api/users/{id}', { ...params({ id: secondId }), body });
  expect((await change({ super: false })).json().data).toMatchObject({ super: false });
  const again = await change({ super: true, version });
  expect(again.statusCode).toBe(409);
  expect(again.json().details).toEqual([
    { path: 'super', message: 'Changed meanwhile', yours: true, theirs: false },
  ]);
  for (const given of [{ super: true }, { admin: true }, { disabled: false }])
    expect((await change(given)).json().error).toBe('validation_failed');
});
