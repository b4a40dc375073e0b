import type { CallAnswer, CallInput } from '@copydesk/contract';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { MOST_PAID_COUNTED, OWNER_KINDS, RECIPIENT_STATES } from '@copydesk/domain/payouts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
import { addBareTrader } from '../../../../../../tests/support/world/traders.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

const LIST = 'GET /api/super-admin/recipients';
type Answer = CallAnswer<typeof LIST>;
type Recipient = Answer['data'][number];
type Query = NonNullable<CallInput<typeof LIST>['query']>;

let world: OwingWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createOwingWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
});

async function listed(query: Query = {}, as?: string): Promise<Answer> {
  const { status, body } = await world.ask(LIST, { query: { limit: '200', ...query } }, {}, as);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
/** Every page of the list. */
async function whole(query: Query = {}, as?: string): Promise<Recipient[]> {
  const rows: Recipient[] = [];
  for (;;) {
    const { data } = await listed({ ...query, limit: '50', offset: String(rows.length) }, as);
    rows.push(...data);
    if (data.length < 50) return rows;
  }
}
const keyOf = ({ owner_kind, owner_id }: Pick<Recipient, 'owner_kind' | 'owner_id'>) =>
  `${owner_kind} ${owner_id}`;
async function of(kind: Recipient['owner_kind'], id: string, as?: string): Promise<Recipient> {
  const row = (await whole({ kind }, as)).find(({ owner_id }) => owner_id === id);
  expect(row, `${kind} ${id}`).toBeDefined();
  return row as Recipient;
}
const change = (body: { external_wallet_address?: string; referrer_wallet_address?: string }) =>
  world.ask('PATCH /api/communities/{id}', { params: { id: community.id }, body });
const ofOwn = (as?: string) => of('community', community.id, as);
const setOwner = (address: string | null) =>
  world.owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [community.id, address]);
const setReferrer = (address: string | null) =>
  world.owner('UPDATE community SET referrer_wallet_address = $2 WHERE id = $1', [community.id, address]);

/** A trader who referred another one. */
async function addReferrer(changes: Record<string, unknown> = {}): Promise<string> {
  const id = await addBareTrader(world.owner, { community_id: community.id, ...changes });
  await addBareTrader(world.owner, { community_id: community.id, referred_by_trader_id: id });
  return id;
}

test('everyone whom the platform pays is listed once, with the name and the address of now', async () => {
  const address = newAddress();
  await addReferrer({ reference_number: `REF-${address.slice(2, 8)}`, external_wallet_address: address });
  const unrelated = await addBareTrader(world.owner, { external_wallet_address: newAddress() });
  const truth = await world.owner<{ key: string; owner: string; address: string | null }>(`
    SELECT 'provider ' || p.id AS key, p.display_name AS owner, p.payout_address AS address FROM provider p
    UNION ALL SELECT 'community ' || c.id, c.name, c.external_wallet_address FROM community c
    UNION ALL SELECT 'community_referrer ' || c.id, c.name, c.referrer_wallet_address FROM community c
      WHERE c.referrer_wallet_address IS NOT NULL OR c.id IN (SELECT y.community_id FROM payable y
        WHERE y.recipient_type = 'community_referrer')
    UNION ALL SELECT DISTINCT 'trader ' || r.id,
      coalesce(r.reference_number, nullif(r.telegram_username, ''), nullif(r.name, ''), left(r.id::text, 8)),
      r.external_wallet_address FROM trader t JOIN trader r ON r.id = t.referred_by_trader_id
    UNION ALL SELECT 'platform ' || r.recipient_type, r.recipient_type, r.address FROM platform_recipient r`);
  const rows = await whole();
  expect(new Map(rows.map((row) => [keyOf(row), [row.owner, row.address?.toLowerCase() ?? null]]))).toEqual(
    new Map(truth.map((each) => [each.key, [each.owner, each.address?.toLowerCase() ?? null]])),
  );
  expect(rows).toHaveLength(truth.length);
  expect(rows.some(({ owner_id }) => owner_id === unrelated)).toBe(false);
  for (const kind of OWNER_KINDS) {
    const ofKind = rows.filter(({ owner_kind }) => owner_kind === kind);
    expect(ofKind.length, kind).toBeGreaterThan(0);
    expect((await whole({ kind })).map(keyOf).toSorted()).toEqual(ofKind.map(keyOf).toSorted());
  }
  // In the form in which people compare it.
  expect(rows.map((row) => row.address)).toContain(address);
});

test('a trader who referred none is listed while its address waits for a release', async () => {
  const id = await addBareTrader(world.owner, { community_id: community.id });
  const address = newAddress();
  const body = { external_wallet_address: address };
  expect((await world.ask('PATCH /api/traders/{id}', { params: { id }, body })).status).toBe(200);
  expect(await of('trader', id)).toMatchObject({ state: 'held', awaits_release: true });
  await world.owner(
    `UPDATE payout_address_change SET released_at = now(), released_by_id = 'other', released_by = 'other'
     WHERE owner_id = $1`,
    [id],
  );
  expect((await whole({ kind: 'trader' })).filter(({ owner_id }) => owner_id === id)).toEqual([]);
});

test('who referred a community stays listed without an address once it had a share, and not before', async () => {
  const isListed = async () =>
    (await whole({ kind: 'community_referrer' })).some(({ owner_id }) => owner_id === community.id);
  expect(await isListed()).toBe(false);
  await setReferrer(newAddress());
  await world.addPaid(community, 100);
  await setReferrer(null);
  const row = await of('community_referrer', community.id);
  expect(row).toMatchObject({ state: 'missing', address: null });
  expect(row.owed).not.toBe('0');
});

test('each state is counted as it is listed, for whoever asks, and a change moves between them', async () => {
  const counts = async () => (await listed()).meta.states;
  const before = await counts();
  await setOwner(null);
  expect(await ofOwn()).toMatchObject({
    state: 'missing',
    address: null,
    change_id: null,
    payable_from: null,
    awaits_release: false,
    can_release: false,
  });
  const first = newAddress();
  await change({ external_wallet_address: first });
  await change({ external_wallet_address: newAddress() });
  const mine = await ofOwn();
  expect(mine).toMatchObject({
    state: 'held',
    previous_address: first,
    changed_by: 'super@demo.example',
    awaits_release: true,
    can_release: false,
    refusal: expect.any(String),
  });
  expect(await ofOwn(world.other)).toMatchObject({ can_release: true, refusal: null });
  await world.owner("UPDATE payout_address_change SET changed_at = now() - interval '25 hours'");
  // Never by time alone.
  expect(await ofOwn()).toMatchObject({ state: 'held', awaits_release: true });
  for (const as of [world.token, world.other])
    for (const state of RECIPIENT_STATES) {
      const rows = await whole({ state }, as);
      expect(rows.every((row) => row.state === state)).toBe(true);
      const { meta } = await listed({ state }, as);
      expect({ total: meta.total, count: meta.states[state] }).toEqual({
        total: rows.length,
        count: rows.length,
      });
    }
  const { status } = await world.ask(
    'POST /api/super-admin/payout-addresses/{id}/release',
    { params: { id: mine.change_id as string } },
    {},
    world.other,
  );
  expect(status).toBe(200);
  expect(await ofOwn()).toMatchObject({
    state: 'payable',
    payable_from: null,
    change_id: null,
    awaits_release: false,
    changed_at: expect.any(String),
  });
  expect(await counts()).toEqual(before);
});

test('a released address waits until its time', async () => {
  await change({ external_wallet_address: newAddress() });
  const { change_id: id } = await ofOwn();
  await world.ask(
    'POST /api/super-admin/payout-addresses/{id}/release',
    { params: { id: id as string } },
    {},
    world.other,
  );
  expect(await ofOwn(world.other)).toMatchObject({
    state: 'held',
    awaits_release: false,
    payable_from: expect.any(String),
    can_release: false,
    change_id: null,
  });
});

test('what everyone is owed is what is to be paid out, whoever it is', async () => {
  await setReferrer(newAddress());
  await world.owner('UPDATE community SET trader_referral_percentage = 2 WHERE id = $1', [community.id]);
  const payer = await world.addPaid(community, 100);
  const referrer = await addReferrer({ external_wallet_address: newAddress() });
  await world.owner('UPDATE trader SET referred_by_trader_id = $2 WHERE id = $1', [payer.id, referrer]);
  await world.addPositions(payer, '200');
  await world.invoice();
  await world.pay(payer.id, usdt(100));
  const truth = await world.owner<{ key: string; units: string }>(`
    SELECT CASE y.recipient_type WHEN 'mark' THEN 'provider ' || y.provider_id
        WHEN 'community' THEN 'community ' || y.community_id
        WHEN 'community_referrer' THEN 'community_referrer ' || y.community_id
        WHEN 'trader_referrer' THEN 'trader ' || t.referred_by_trader_id ELSE 'platform ' || y.recipient_type END AS key,
      sum(y.amount_units)::text AS units
    FROM payable y JOIN invoice i ON i.id = y.invoice_id JOIN trader t ON t.id = i.trader_id
    WHERE y.payout_id IS NULL AND y.settled_at IS NULL GROUP BY 1`);
  const rows = await whole();
  const owing = rows.filter((row) => row.owed !== '0');
  expect(new Map(owing.map((row) => [keyOf(row), row.owed]))).toEqual(
    new Map(truth.map(({ key, units }) => [key, unitsToDecimal(BigInt(units))])),
  );
  expect(new Set(owing.map((row) => row.owner_kind))).toEqual(new Set(OWNER_KINDS));
  const due = await world.ask('GET /api/super-admin/pending-distributions', {});
  const sum = rows.reduce((units, row) => units + (decimalToUnits(row.owed) ?? 0n), 0n);
  expect(unitsToDecimal(sum)).toBe(due.body.meta.amount);
  // What is in a payout is owed no more.
  const { owed } = await ofOwn();
  expect(owed).not.toBe('0');
  await world.distribute(community.id);
  expect((await ofOwn()).owed).toBe('0');
});

test('an address that others have as well names them, and not its owner', async () => {
  const address = newAddress();
  const others = [];
  for (const n of [3, 1, 2, 4]) {
    const other = await world.addCommunity();
    await world.owner('UPDATE community SET name = $2, external_wallet_address = $3 WHERE id = $1', [
      other.id,
      `Sharer ${n}`,
      n === 1 ? address.toLowerCase() : address,
    ]);
    others.push(other);
  }
  await setOwner(address);
  const named = [1, 2, 3].map((n) => ({ owner_kind: 'community', owner: `Sharer ${n}` }));
  expect((await ofOwn()).shared_by).toEqual({ count: 4, owners: named });
  const second = await of('community', others[2]?.id ?? '');
  expect(second.shared_by.count).toBe(4);
  expect(second.shared_by.owners.map(({ owner }) => owner)).not.toContain('Sharer 2');
  await setOwner(newAddress());
  expect((await ofOwn()).shared_by).toEqual({ count: 0, owners: [] });
  // Of two of one name, it says which.
  const own = newAddress();
  await setOwner(own);
  await setReferrer(own);
  expect((await ofOwn()).shared_by.owners).toMatchObject([{ owner_kind: 'community_referrer' }]);
});

test('the search takes names of every script, references and addresses, and no pattern', async () => {
  const address = newAddress();
  const code = address.slice(2, 10);
  const referrer = await addReferrer({
    reference_number: `Kait-${code}`,
    name: `Ömer ${code}`,
    external_wallet_address: address,
  });
  const found = async (search: string) => (await whole({ search })).map(({ owner_id }) => owner_id);
  for (const text of [
    address.toUpperCase().replace('0X', '0x'),
    address.toLowerCase().slice(4, 30),
    `kait-${code}`.toUpperCase(),
    `ömer ${code}`,
    `ÖMER ${code}`,
  ])
    expect(await found(text), text).toEqual([referrer]);
  for (const name of [`شبكة المتداولين ${code}`, `100%_sure ${code}`, `Наша Сеть ${code}`]) {
    await world.owner('UPDATE community SET name = $2 WHERE id = $1', [community.id, name]);
    expect(await found(name.toLowerCase()), name).toEqual([community.id]);
  }
  expect(await found(`kait%${code}`)).toEqual([]);
  expect(await found(`kait_${code}`)).toEqual([]);
  const { meta } = await listed({ search: `kait-${code}`, state: 'missing' });
  expect(meta).toMatchObject({ total: 0, states: { payable: 1, held: 0, missing: 0 } });
});

test('names stand in the order that people read, changes by their time', async () => {
  const names = (await whole({ orderBy: 'name', orderDir: 'asc' })).map(({ owner }) => owner);
  const { compare } = new Intl.Collator('en', { numeric: true });
  expect(names).toEqual(names.toSorted(compare));
  expect((await whole({ orderBy: 'name', orderDir: 'desc' })).map(({ owner }) => owner)).toEqual(
    names.toReversed(),
  );
  await change({ external_wallet_address: newAddress() });
  expect((await listed({ limit: '1' })).data[0]?.owner_id).toBe(community.id);
  const last = (await whole({ orderBy: 'changed_at', orderDir: 'asc' })).at(-1);
  expect(last?.owner_id).toBe(community.id);
});

test('what arrived at the present address before is counted to a bound, and nothing else', async () => {
  const addPaid = (to: string, amounts: readonly number[], status = 'distributed') =>
    world.owner(
      `INSERT INTO payout (community_id, status, recipient_type, recipient_address, amount_units,
         distribute_transaction_hash, problem, updated_at)
       SELECT $1, $2, 'community', $3, p.units, '0x' || lpad(md5(random()::text), 64, '0'),
         CASE WHEN $2 = 'failed' THEN 'sent_again' END, now() - make_interval(days => p.place::int)
       FROM unnest($4::numeric[]) WITH ORDINALITY AS p (units, place)`,
      [community.id, status, to, amounts.map((amount) => usdt(amount).toString())],
    );
  expect(await ofOwn()).toMatchObject({ paid_count: 0, last_paid_at: null, usual_amount: null });
  await addPaid(community.external, [10, 30]);
  await addPaid(community.external.toLowerCase(), [20]);
  await addPaid(community.external, [500], 'failed');
  const paid = await ofOwn();
  expect(paid).toMatchObject({ paid_count: 3, usual_amount: '20' });
  expect(Date.now() - Date.parse(paid.last_paid_at ?? '')).toBeLessThan(25 * 3_600_000);
  await addPaid(
    community.external,
    Array.from({ length: MOST_PAID_COUNTED + 5 }, () => 40),
  );
  expect(await ofOwn()).toMatchObject({ paid_count: MOST_PAID_COUNTED, usual_amount: '40' });
  await setOwner(newAddress());
  expect(await ofOwn()).toMatchObject({ paid_count: 0, last_paid_at: null });
});

test('staff is refused', async () => {
  for (const persona of ['staff', 'staff-multi'] as const) {
    const { status, body } = await world.ask(LIST, { query: {} }, {}, await world.signIn(persona));
    expect({ status, body }).toMatchObject({ status: 403, body: { success: false } });
  }
});
