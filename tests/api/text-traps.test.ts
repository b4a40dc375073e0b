import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let product: TestApp;
let token: string;
let bot: string;
let communityId: string;
let providerId: string;
beforeAll(async () => {
  product = await createTestApp();
  token = await product.signIn('super');
  const { data: communities } = (await ask('GET /api/super-admin/communities')).json();
  for (const { id } of communities as { id: string }[]) {
    const found = (await ask('GET /api/exchange-bot/community/{id}', { params: { id } })).json().data;
    if (!found) continue;
    bot = found.id;
    communityId = id;
  }
  const links = await ask('GET /api/communities/{id}/providers', { params: { id: communityId } });
  providerId = links.json().data[0].provider_id;
});
afterAll(() => product.close());

const ask = (call: string, parts: Parameters<typeof send>[2] = {}) => send(product.app, call, parts, token);
const TRAPS = [
  'Pay to 0x52908400098527886E0F7030069857D2E4169EE7',
  'еvіl . соm',
  'w\u200brite to @evil_help',
];

test.each([
  ['POST /api/exchange-bot/{id}/pricing', 'name', { days: 30, amount: '5' }, () => ({ id: bot })],
  [
    'POST /api/exchange-bot/{id}/custom-faqs',
    'question',
    { language: 'en', answer: 'Fine.' },
    () => ({ id: bot }),
  ],
  [
    'POST /api/exchange-bot/{id}/custom-faqs',
    'answer',
    { language: 'en', question: 'New?' },
    () => ({ id: bot }),
  ],
  ['PATCH /api/communities/{id}', 'name', {}, () => ({ id: communityId })],
  ['PATCH /api/communities/{id}', 'owner_name', {}, () => ({ id: communityId })],
  ['PUT /api/providers/{id}', 'display_name', {}, () => ({ id: providerId })],
  [
    'PUT /api/communities/{id}/providers/{providerId}',
    'custom_display_name',
    {},
    () => ({ id: communityId, providerId }),
  ],
] as const)('%s refuses a trap in %s and names it', async (call, field, rest, params) => {
  for (const text of TRAPS) {
    const answer = await ask(call, { params: params(), body: { ...rest, [field]: text } });
    expect([answer.statusCode, answer.json().error], answer.body).toEqual([422, 'text_refused']);
    expect(answer.json().details).toMatchObject([{ path: field }]);
  }
});

test('questions and plans that exist are checked when their texts change', async () => {
  const { data: faqs } = (
    await ask('GET /api/exchange-bot/{id}/custom-faqs', { params: { id: bot } })
  ).json();
  const { data: plans } = (await ask('GET /api/exchange-bot/{id}/pricing', { params: { id: bot } })).json();
  const faq = { id: faqs[0].id };
  const changed = (call: string, id: string, body: object) => ask(call, { params: { id }, body });
  for (const text of TRAPS) {
    for (const field of ['question', 'answer']) {
      const answer = await changed('PATCH /api/exchange-bot/custom-faqs/{id}', faq.id, { [field]: text });
      expect(answer.json()).toMatchObject({ error: 'text_refused', details: [{ path: field }] });
    }
    const renamed = await changed('PATCH /api/exchange-bot/pricing/{id}', plans[0].id, { name: text });
    expect(renamed.json()).toMatchObject({ error: 'text_refused', details: [{ path: 'name' }] });
  }
  const moved = await changed('PATCH /api/exchange-bot/custom-faqs/{id}', faq.id, { place: 0 });
  expect(moved.statusCode, moved.body).toBe(200);
});

test('levels of traders are named without traps', async () => {
  const { data } = (await ask('GET /api/platform-settings')).json();
  const { value, version } = data.find(({ name }: { name: string }) => name === 'vip_tiers');
  for (const field of ['name', 'benefits']) {
    const tiers = value.map((tier: object, at: number) =>
      at === 1 ? { ...tier, [field]: 'evil.com' } : tier,
    );
    const answer = await ask('PUT /api/platform-settings', { body: { set: { vip_tiers: tiers }, version } });
    expect(answer.json()).toMatchObject({
      error: 'text_refused',
      details: [{ path: `set.vip_tiers.1.${field}` }],
    });
  }
});
