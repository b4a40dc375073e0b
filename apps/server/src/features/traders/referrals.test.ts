import { SIGNUP_SOURCES } from '@copydesk/domain/traders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
/** A trader that staff see. */
let referrerId: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.2 });
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  const [referrer] = await asOwner<{ id: string }>(
    product.ownerUrl,
    `SELECT t.id FROM trader t JOIN trader_provider a ON a.trader_id = t.id
       JOIN provider p ON p.id = a.provider_id AND p.name = 'aurora' ORDER BY t.id LIMIT 1`,
  );
  referrerId = referrer?.id ?? '';
  // The demo world has few: twelve traders with invoices at aurora, and twelve at another provider alone.
  await asOwner(
    product.ownerUrl,
    `UPDATE trader SET referred_by_trader_id = $1 WHERE id IN (
       SELECT id FROM (
         SELECT i.trader_id AS id, bool_or(p.name = 'aurora') AS is_aurora,
           row_number() OVER (PARTITION BY bool_or(p.name = 'aurora') ORDER BY i.trader_id) AS nth
         FROM invoice i JOIN provider p ON p.id = i.provider_id
         WHERE i.trader_id <> $1 GROUP BY i.trader_id) invoiced
       WHERE nth <= 12)`,
    [referrerId],
  );
});
afterAll(() => product.close());

const read = async (as: string, id = referrerId, query: Record<string, string> = { limit: '100' }) =>
  (await send(product.app, 'GET /api/traders/{id}/referrals', { params: { id }, query }, as)).json();

/** What a referrer earned from the invoices of some providers. */
const expectedOf = (id: string, provider: string | null) =>
  asOwner(
    product.ownerUrl,
    `SELECT t.id, trim_scale(coalesce(sum(p.amount_units), 0) / 1e18)::text AS earned,
       trim_scale(coalesce(sum(p.amount_units) FILTER (WHERE p.paid_at IS NULL AND p.settled_at IS NULL), 0) / 1e18)::text
         AS unpaid
     FROM trader t LEFT JOIN (invoice i JOIN payable p ON p.invoice_id = i.id AND p.recipient_type = 'trader_referrer'
       AND ($2::text IS NULL OR p.provider_id = (SELECT id FROM provider WHERE name = $2)))
       ON i.trader_id = t.id
     WHERE t.referred_by_trader_id = $1 GROUP BY t.id`,
    [id, provider],
  );

test.each([
  ['a super admin', () => superAdmin, null],
  ['staff, from the invoices of their provider', () => staff, 'aurora'],
])('%s: who was referred, and what that earned', async (_, as, provider) => {
  // As if every invoice had a part for a referrer: the demo world has few.
  await asOwner(
    product.ownerUrl,
    `INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, amount_units, settled_at)
     SELECT i.id, i.community_id, i.provider_id, 'trader_referrer', 1000000000000000000 + i.amount_units % 1000,
       CASE WHEN hashtext(i.id::text) % 2 = 0 THEN now() END
     FROM invoice i JOIN trader t ON t.id = i.trader_id
     WHERE t.referred_by_trader_id = $1 ON CONFLICT DO NOTHING`,
    [referrerId],
  );
  const { data, meta } = await read(as());
  const expected = new Map((await expectedOf(referrerId, provider)).map((row) => [row.id, row]));
  expect(data.length).toBeGreaterThanOrEqual(12);
  expect(meta.total).toBe(data.length);
  for (const row of data)
    expect(row).toMatchObject({ earned: expected.get(row.id)?.earned, unpaid: expected.get(row.id)?.unpaid });
  const sum = (field: 'earned' | 'unpaid') =>
    data.reduce((total: bigint, row: Record<string, string>) => total + unitsOf(row[field] ?? ''), 0n);
  expect([sum('earned'), sum('unpaid')]).toEqual([unitsOf(meta.earned), unitsOf(meta.unpaid)]);
  expect(sum('earned')).toBeGreaterThan(sum('unpaid'));
  const paged = [
    ...(await read(as(), referrerId, { limit: '1' })).data,
    ...(await read(as(), referrerId, { limit: '200', offset: '1' })).data,
  ];
  expect(paged.map(({ id }: { id: string }) => id)).toEqual(data.map(({ id }: { id: string }) => id));

  const child = (await read(as(), data[0].id)).meta;
  expect(child.referred_by).toMatchObject({ id: referrerId });
});

const unitsOf = (amount: string) => {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(18, '0'));
};

test('staff are not shown a referrer of another provider', async () => {
  const isAurora = `EXISTS (SELECT FROM trader_provider a JOIN provider p ON p.id = a.provider_id
    WHERE a.trader_id = t.id AND p.name = 'aurora')`;
  const [hidden] = await asOwner<{ id: string; referrer: string }>(
    product.ownerUrl,
    `UPDATE trader SET referred_by_trader_id = (SELECT t.id FROM trader t WHERE NOT ${isAurora} LIMIT 1)
     WHERE id = (SELECT t.id FROM trader t WHERE ${isAurora} AND t.referred_by_trader_id IS NULL AND t.id <> $1 LIMIT 1)
     RETURNING id, referred_by_trader_id AS referrer`,
    [referrerId],
  );
  expect(hidden).toBeDefined();
  expect((await read(superAdmin, hidden?.id)).meta.referred_by).toMatchObject({ id: hidden?.referrer });
  expect((await read(staff, hidden?.id)).meta.referred_by).toBeNull();
  expect(await read(staff, hidden?.referrer)).toMatchObject({ success: false, error: 'not_found' });
});

test("the link opens the community's bot while it is switched on, for staff as well", async () => {
  const { meta } = await read(staff);
  expect(meta).toMatchObject({ referral_link: null, referral_code: expect.stringMatching(/^[A-Z0-9]+$/) });
  const botSql = `INSERT INTO exchange_bot (community_id, telegram_id, username, name, language)
    SELECT community_id, 77, 'aurora_access_bot', 'Access', 'en' FROM trader WHERE id = $1`;
  await asOwner(product.ownerUrl, botSql, [referrerId]);
  for (const as of [staff, superAdmin])
    expect((await read(as)).meta.referral_link).toBe(
      `https://t.me/aurora_access_bot?start=${meta.referral_code}`,
    );
  await asOwner(product.ownerUrl, 'UPDATE exchange_bot SET is_active = false WHERE telegram_id = 77');
  expect((await read(staff)).meta.referral_link).toBeNull();
});

test('who added a trader is recorded, and counts as a source of sign-ups', async () => {
  const [link] = await asOwner(
    product.ownerUrl,
    `SELECT l.community_id, l.provider_id FROM community_provider l JOIN provider p ON p.id = l.provider_id
     WHERE p.name = 'aurora' LIMIT 1`,
  );
  const program = `${
    (
      await send(
        product.app,
        'POST /api/service-tokens',
        {
          body: {
            name: 'Sign-ups',
            scopes: ['traders:write', 'traders:read'],
            provider_ids: [link?.provider_id],
            expires_in_days: 30,
          },
        },
        superAdmin,
      )
    ).json().data.token
  }`;
  const create = (as: string, fields: object = {}) =>
    send(
      product.app,
      'POST /api/traders',
      { body: { community_id: link?.community_id, selected_provider_id: link?.provider_id, ...fields } },
      as,
    );
  const { referral_code } = (await read(staff)).meta;
  for (const made of [
    await create(staff),
    await create(program),
    await create(program),
    await create(staff, { referral_code }),
  ])
    expect(made.statusCode).toBe(201);
  // Traders of the demo world are two days old at least.
  const from = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const days = await send(
    product.app,
    'GET /api/communities/{id}/signups',
    { params: { id: link?.community_id }, query: { from } },
    staff,
  );
  // Two days if a midnight passes meanwhile.
  const counted = (source: string) =>
    days
      .json()
      .data.reduce(
        (sum: number, day: { sources: Record<string, number> }) => sum + (day.sources[source] ?? 0),
        0,
      );
  expect(Object.fromEntries(SIGNUP_SOURCES.map((source) => [source, counted(source)]))).toEqual({
    referral: 1,
    bot: 0,
    program: 2,
    staff: 1,
    unknown: 0,
  });
});
