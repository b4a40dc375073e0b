import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOfCsv } from '../../../../../../tests/support/csv-lines.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import {
  createPayoutHistoryWorld,
  ids,
  type KnownPayout,
  type ListedPayout,
  type PayoutHistoryWorld,
  type Query,
} from '../../../../../../tests/support/world/payout-history-world.ts';
import { units } from '../../../../../../tests/support/world/usdt.ts';

const LIST = '/api/sweep-operations/admin/all';
const PEOPLE = ['super', 'staff', 'staff-multi'];

let world: PayoutHistoryWorld;
const known: Record<string, KnownPayout[]> = {};
beforeAll(async () => {
  world = await createPayoutHistoryWorld();
  await distribute();
  for (const who of PEOPLE) known[who] = await world.known(who);
  const found = await asOwner<Community & Record<string, unknown>>(
    world.ownerUrl,
    'SELECT id, name, internal_wallet_address AS wallet FROM community',
  );
  communities = new Map(found.map((community) => [community.id, community]));
}, 60_000);
afterAll(() => world.close());

/** A third of all payouts, of whatever provider, as if they were of one distribution. */
let distributed: { id: string; payouts: Set<string> };
async function distribute(): Promise<void> {
  const [made] = await asOwner<{ id: string }>(
    world.ownerUrl,
    `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
     SELECT id, 'approved', 1, 'u1', 'Olga' FROM community LIMIT 1 RETURNING id`,
  );
  const id = made?.id ?? '';
  const rows = await asOwner<{ id: string }>(
    world.ownerUrl,
    `UPDATE payout SET distribution_id = $1, ordered_at = now(), ordered_by_id = 'someone'
     WHERE hashtext(id::text) % 3 = 0 RETURNING id`,
    [id],
  );
  distributed = { id, payouts: new Set(rows.map((row) => row.id)) };
}

interface Community {
  id: string;
  name: string;
  wallet: string;
}
let communities: Map<string, Community>;
const communityOf = ({ community_id }: { community_id: string }) =>
  communities.get(community_id) as Community;

const of = (who: string) => known[who] as KnownPayout[];
const sum = (rows: readonly KnownPayout[]) => rows.reduce((total, row) => total + BigInt(row.units), 0n);
const time = (row: { created_at: string }) => Date.parse(row.created_at);

test('the world has payouts that mix providers, and staff see a part of them', () => {
  const whole = new Map(of('super').map((row) => [row.id, row.units]));
  for (const who of ['staff', 'staff-multi']) {
    expect(of(who).length).toBeGreaterThan(10);
    expect(of(who).length).toBeLessThanOrEqual(of('super').length);
    expect(of(who).some((row) => BigInt(row.units) < BigInt(whole.get(row.id) ?? 0))).toBe(true);
  }
});

test.each(PEOPLE)('%s: lists every payout in scope, with the part in scope', async (who) => {
  const listed = await world.listAll({}, who);
  expect(ids(listed)).toEqual(ids(of(who)));
  const rows = new Map(of(who).map((row) => [row.id, row]));
  for (const row of listed) {
    const { units: wanted, community_id, isCommunitySeen: _, ...same } = rows.get(row.id) as KnownPayout;
    expect(row).toMatchObject(same);
    expect(units(row.total_amount)).toBe(BigInt(wanted));
    if (row.community) expect(row.community.id).toBe(community_id);
  }
});

const CASES: [string, () => Query, (row: KnownPayout) => boolean][] = [
  ['nothing', () => ({}), () => true],
  ['a recipient type', () => ({ recipient_type: 'community' }), (row) => row.recipient_type === 'community'],
  ['a status', () => ({ status: 'distributed' }), (row) => row.status === 'distributed'],
  [
    'a community',
    () => ({ community_id: one().community_id }),
    (row) => row.community_id === one().community_id,
  ],
  ['days', () => ({ created_at_from: day(1), created_at_to: day(2) }), (row) => isFrom(row) && isTo(row)],
  ['from a day on', () => ({ created_at_from: day(1) }), (row) => isFrom(row)],
  [
    'up to a day',
    () => ({ created_at_to: day(2), status: 'distributed' }),
    (row) => isTo(row) && row.status === 'distributed',
  ],
  ['from a moment on', () => ({ created_at_from: one().created_at }), (row) => time(row) >= time(one())],
  ['up to a moment', () => ({ created_at_to: one().created_at }), (row) => time(row) <= time(one())],
  [
    'an address',
    () => ({ search: one().recipient_address }),
    (row) => row.recipient_address === one().recipient_address,
  ],
  [
    'the beginning of an address, in other letters and without 0x',
    () => ({ search: one().recipient_address.slice(2, 9).toUpperCase() }),
    (row) =>
      row.recipient_address.toLowerCase().startsWith(one().recipient_address.slice(0, 9).toLowerCase()),
  ],
  ['a hash', () => ({ search: hash() }), (row) => row.distribute_transaction_hash === hash()],
  ['what every hash begins with', () => ({ search: '0x' }), () => true],
  ['what is nowhere', () => ({ search: 'nobody %_' }), () => false],
  ['an id', () => ({ search: one().id }), (row) => row.id === one().id],
  [
    'the beginning of an id, pasted in capitals',
    () => ({ search: `\u200b ${one().id.slice(0, 13).toUpperCase()}` }),
    (row) => row.id.startsWith(one().id.slice(0, 13)),
  ],
  [
    'a part of the name of a community, in other letters',
    () => ({ search: communityOf(ofSeen()).name.slice(0, 5).toUpperCase() }),
    (row) =>
      row.isCommunitySeen &&
      communityOf(row).name.toLowerCase().includes(communityOf(ofSeen()).name.slice(0, 5).toLowerCase()),
  ],
  [
    'the wallet of a community, copied in groups',
    () => ({ search: communityOf(ofSeen()).wallet.replace(/.{6}/g, '$& ') }),
    (row) => row.isCommunitySeen && row.community_id === ofSeen().community_id,
  ],
  ['a distribution', () => ({ distribution_id: distributed.id }), (row) => distributed.payouts.has(row.id)],
  [
    'an address among the payouts of a distribution',
    () => ({ distribution_id: distributed.id, search: one().recipient_address }),
    (row) => distributed.payouts.has(row.id) && row.recipient_address === one().recipient_address,
  ],
  ['a distribution that is not there', () => ({ distribution_id: crypto.randomUUID() }), () => false],
  [
    'a search among others',
    () => ({ search: one().recipient_address, status: 'distributed' }),
    (row) => row.recipient_address === one().recipient_address && row.status === 'distributed',
  ],
];
const one = () => of('staff').find((row) => row.status === 'distributed') as KnownPayout;
const ofSeen = () => of('staff').find((row) => row.isCommunitySeen) as KnownPayout;
const hash = () => one().distribute_transaction_hash as string;
const day = (part: number) => {
  const days = of('super')
    .map((row) => row.created_at.slice(0, 10))
    .sort();
  return days[Math.floor((days.length * part) / 3)] as string;
};
const isFrom = (row: KnownPayout) => row.created_at.slice(0, 10) >= day(1);
const isTo = (row: KnownPayout) => row.created_at.slice(0, 10) <= day(2);

const PARTS = {
  paid: (status: string) => status === 'distributed',
  failed: (status: string) => status === 'failed',
  under_way: (status: string) => !['distributed', 'failed'].includes(status),
};

test.each(CASES)('%s: list, totals and summary', async (_name, queryOf, fits) => {
  for (const who of PEOPLE) {
    const wanted = of(who).filter(fits);
    const answer = (await world.ask(LIST, { ...queryOf(), limit: '10000' }, who)).json();
    expect(ids(answer.data), who).toEqual(ids(wanted));
    expect(answer.meta.total).toBe(wanted.length);
    expect(units(answer.meta.total_amount)).toBe(sum(wanted));
    const summary = (await world.ask('/api/sweep-operations/summary', queryOf(), who)).json();
    expect(summary.meta).toMatchObject({ total: wanted.length, total_amount: answer.meta.total_amount });
    const types = [...new Set(wanted.map((row) => row.recipient_type))].sort();
    expect(summary.data.map((row: { recipient_type: string }) => row.recipient_type).sort()).toEqual(types);
    for (const row of summary.data) {
      const mine = wanted.filter((known) => known.recipient_type === row.recipient_type);
      const times = mine.map((known) => known.created_at).sort();
      expect(row).toMatchObject({ count: mine.length, first_at: times[0], last_at: times.at(-1) });
      expect(units(row.total_amount)).toBe(sum(mine));
      for (const [part, isIn] of Object.entries(PARTS)) {
        const inPart = mine.filter(({ status }) => isIn(status));
        expect(row[part].count, part).toBe(inPart.length);
        expect(units(row[part].amount), part).toBe(sum(inPart));
      }
    }
  }
});

test.each([
  ['created_at', (row: ListedPayout) => [time(row)]],
  ['amount', (row: ListedPayout) => [units(row.total_amount)]],
  ['status', (row: ListedPayout) => [row.status, time(row)]],
] as const)('by %s, up and down, and pages join to the whole', async (orderBy, keysOf) => {
  for (const who of PEOPLE)
    for (const orderDir of ['asc', 'desc']) {
      const whole = await world.listAll({ orderBy, orderDir }, who);
      const way = orderDir === 'asc' ? 1 : -1;
      const compare = (a: ListedPayout, b: ListedPayout) => {
        const other = keysOf(b);
        const at = keysOf(a).findIndex((key, index) => key !== other[index]);
        if (at < 0) return a.id < b.id ? -way : way;
        return (keysOf(a)[at] as bigint) < (other[at] as bigint) ? -way : way;
      };
      expect(whole.map(({ id }) => id)).toEqual([...whole].sort(compare).map(({ id }) => id));
      const pages: ListedPayout[] = [];
      for (let offset = 0; offset < whole.length; offset += 61)
        pages.push(...(await world.listAll({ orderBy, orderDir, limit: '61', offset: String(offset) }, who)));
      expect(pages).toEqual(whole);
    }
});

test('the newest 20 are the first page', async () => {
  const answer = (await world.ask(LIST)).json();
  expect(answer.data).toEqual((await world.listAll()).slice(0, 20));
});

test('a community has its payouts', async () => {
  const { community_id: id } = one();
  const path = '/api/communities/{id}/sweep-operations';
  const answer = (await world.ask(path, { limit: '10000' }, 'super', id)).json();
  expect(ids(answer.data)).toEqual(ids(of('super').filter((row) => row.community_id === id)));
  expect((await world.ask(path, { community_id: id }, 'super', id)).statusCode).toBe(400);
});

test('invalid parameters are refused', async () => {
  for (const wrong of [
    { limit: '0' },
    { limit: '10001' },
    { offset: '-1' },
    { orderBy: 'id' },
    { orderDir: 'up' },
    { status: 'paid' },
    { recipient_type: 'nobody' },
    { community_id: '1' },
    { created_at_from: 'yesterday' },
    { search: '' },
    { unknown: 'x' },
  ] as unknown as Query[]) {
    const answer = await world.ask(LIST, wrong);
    expect(answer.statusCode, JSON.stringify(wrong)).toBe(400);
    expect(answer.json().error).toBe('validation_failed');
  }
  expect((await world.ask('/api/sweep-operations/summary', { limit: '1' })).statusCode).toBe(400);
});

test.each(PEOPLE)('%s: the export has the same rows in the same order', async (who) => {
  for (const query of [
    { orderBy: 'amount', orderDir: 'asc' },
    { status: 'distributed' },
    { search: hash() },
  ] as Query[]) {
    const answer = await world.ask('/api/sweep-operations/export', query, who);
    expect(answer.headers['content-type']).toContain('text/csv');
    const [heading, ...lines] = linesOfCsv(answer.body);
    expect(heading).toContain('Date,Status,Recipient Type,Community,Recipient Address,Amount (USDT)');
    const listed = await world.listAll(query, who);
    expect(lines.map((row) => row.split(',').at(-1))).toEqual(listed.map(({ id }) => id));
    expect(lines.map((row) => row.split(',').at(5))).toEqual(listed.map((row) => row.total_amount));
  }
});

test('a cell that a spreadsheet would run is made harmless', async () => {
  const [row] = await asOwner<{ id: string }>(
    world.ownerUrl,
    `UPDATE community SET name = '=1+1' WHERE id = '${one().community_id}' RETURNING id`,
  );
  expect(row).toBeDefined();
  const { body } = await world.ask('/api/sweep-operations/export', { community_id: one().community_id });
  expect(body).toContain(',"\'=1+1",');
});

test.each(PEOPLE)('%s: pages of a search that many payouts answer to are those of the whole', async (who) => {
  const whole = await world.listAll({}, who);
  for (const digit of [...'0123456789aBcdEF']) {
    const start = `0x${digit}`.toLowerCase();
    const expected = whole.filter((row) =>
      [row.recipient_address, row.consolidate_transaction_hash, row.distribute_transaction_hash].some(
        (text) => text?.toLowerCase().startsWith(start),
      ),
    );
    for (const status of [undefined, 'distributed', 'failed']) {
      const inStatus = expected.filter((row) => status === undefined || row.status === status);
      const query = { search: digit, ...(status && { status }) };
      const first = (await world.ask(LIST, { ...query, limit: '20' }, who)).json();
      expect(ids(first.data), `${digit} ${status}`).toEqual(ids(inStatus.slice(0, 20)));
      expect(first.meta.total, `${digit} ${status}`).toBe(inStatus.length);
      const deep = (await world.ask(LIST, { ...query, limit: '20', offset: '15' }, who)).json();
      expect(ids(deep.data), `${digit} ${status}`).toEqual(ids(inStatus.slice(15, 35)));
    }
  }
});
