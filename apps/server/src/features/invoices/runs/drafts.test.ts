import type { CallAnswer, CallInput } from '@copydesk/contract';
import type { LineOutcome, LineReason } from '@copydesk/domain/invoices';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { addCommunity } from '../../../../../../tests/support/world/communities.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import type { SmallTrader } from '../../../../../../tests/support/world/traders.ts';
import { units, usdt } from '../../../../../../tests/support/world/usdt.ts';
import { beginInvoicing, discardDrafts } from './invoicing.jobs.ts';
import { takeInvoicingTurn } from './invoicing-turn.ts';

type Detail = CallAnswer<'GET /api/invoices/runs/{id}'>['data'];
type Lines = CallAnswer<'GET /api/invoices/runs/{id}/lines'>;
type LineQuery = NonNullable<CallInput<'GET /api/invoices/runs/{id}/lines'>['query']>;

let world: InvoicingWorld;
let token: string;
beforeAll(async () => {
  world = await createInvoicingWorld();
  token = await world.signIn('super');
});
afterAll(() => world.close());

const call = (name: Parameters<typeof send>[1], given: Parameters<typeof send>[2]) =>
  send(world.app, name, given, token);

async function work() {
  while (await takeInvoicingTurn(world.turnDeps())) {
    // until nothing is left
  }
}

/** A draft over a community of its own, prepared. */
async function draftOf(communityId: string): Promise<string> {
  const answer = await call('POST /api/invoices/runs', { body: { community_id: communityId, draft: true } });
  expect(answer.statusCode, answer.body).toBe(201);
  await work();
  return answer.json<{ data: { id: string } }>().data.id;
}

const runOf = async (id: string) =>
  (await call('GET /api/invoices/runs/{id}', { params: { id } })).json<{ data: Detail }>().data;
async function linesOf(id: string, query: LineQuery = {}): Promise<Lines> {
  const answer = await call('GET /api/invoices/runs/{id}/lines', {
    params: { id },
    query: { limit: '200', ...query },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const lines = answer.json<Lines>();
  // What the run counts is what its lines are.
  const counted = await world.owner(
    `SELECT outcome, count(*)::int AS traders, trim_scale(sum(CASE outcome WHEN 'carried' THEN carried_units
       ELSE amount_units END) / 1e18)::text AS amount FROM invoicing_line WHERE run_id = $1 GROUP BY 1`,
    [id],
  );
  const run = await runOf(id);
  for (const [outcome, { traders, amount }] of Object.entries(lines.meta.outcomes)) {
    const of = counted.find((each) => each.outcome === outcome);
    expect([outcome, traders], outcome).toEqual([outcome, of?.traders ?? 0]);
    // What is sent is summed as it is sent.
    if (run.state === 'draft' || run.state === 'done')
      expect([outcome, amount]).toEqual([outcome, of?.amount ?? '0']);
  }
  return lines;
}
const exclude = (id: string, traders: SmallTrader[], excluded = true) =>
  call('PATCH /api/invoices/runs/{id}/lines', {
    params: { id },
    body: { trader_ids: traders.map((trader) => trader.id), excluded },
  });
/** As a person does who sees the figures of the run. */
async function sendDraft(id: string) {
  const { invoices, amount } = await runOf(id);
  return call('POST /api/invoices/runs/{id}/send', { params: { id }, body: { invoices, amount } });
}

async function addTraders<Name extends string>(
  communityId: string,
  profits: Record<Name, (string | null)[]>,
): Promise<Record<Name, SmallTrader>> {
  const made = {} as Record<Name, SmallTrader>;
  for (const name of Object.keys(profits) as Name[]) {
    made[name] = await world.addTrader({ community_id: communityId });
    await world.addPositions(made[name], ...profits[name]);
  }
  return made;
}

const communityOf = (changes = {}) => addCommunity(world.owner, [], { split_percentage: 5, ...changes });
const amountsOf = async (trader: SmallTrader) =>
  (await world.invoicesOf(trader.id)).map(({ amount }) => amount);

test('a draft shows what a run would invoice, and why not, and invoices and notifies no trader', async () => {
  const community = await communityOf();
  const traders = await addTraders(community, {
    large: ['100', '20', '-5'],
    partly: ['30', null],
    small: ['1.9'],
    unknown: [null],
    none: [],
    untold: ['40'],
    twice: ['1.2'],
    off: ['500'],
  });
  const [other] = await world.owner<{ id: string }>(
    'SELECT id FROM provider WHERE id <> $1 ORDER BY id LIMIT 1',
    [traders.twice.providerId],
  );
  // Two invoices that are below the minimum alone, and above it together.
  const elsewhere = { ...traders.twice, providerId: other?.id ?? '' };
  const accountId = await world.addAccount(elsewhere);
  await world.addPositions({ ...elsewhere, accountId }, '1.2');
  await world.owner(`UPDATE trader SET telegram_user_id = '' WHERE id = $1`, [traders.untold.id]);
  const [third] = await world.owner<{ id: string }>(
    'SELECT id FROM provider WHERE id <> ALL ($1) ORDER BY id LIMIT 1',
    [[traders.twice.providerId, other?.id]],
  );
  await world.owner('UPDATE closed_position SET provider_id = $2 WHERE trader_id = $1', [
    traders.off.id,
    third?.id,
  ]);
  await world.owner('UPDATE provider SET invoicing_enabled = false WHERE id = $1', [third?.id]);

  const before = await world.owner(`SELECT (SELECT count(*) FROM invoice) AS invoices,
    (SELECT count(*) FROM message) AS messages, (SELECT count(*) FROM journal) AS journals`);
  const id = await draftOf(community);
  const { data, meta } = await linesOf(id);
  const shown = Object.fromEntries(
    data.map((line) => [
      line.trader_id,
      [line.outcome, line.reason, line.invoices, line.positions, line.amount, line.carried],
    ]),
  );
  const nothing = (outcome: LineOutcome, reason: LineReason) => [outcome, reason, 0, 0, '0', '0'];
  expect(shown).toEqual({
    [traders.large.id]: ['invoice', null, 1, 2, '60', '0'],
    [traders.untold.id]: ['invoice', null, 1, 1, '20', '0'],
    [traders.partly.id]: ['invoice', 'unknown_profit', 1, 1, '15', '0'],
    [traders.twice.id]: ['invoice', null, 2, 2, '1.2', '0'],
    [traders.small.id]: ['carried', null, 0, 0, '0', '0.95'],
    [traders.unknown.id]: nothing('left_out', 'unknown_profit'),
    [traders.off.id]: nothing('left_out', 'invoicing_off'),
  });
  expect(data.map(({ amount }) => Number(amount))).toEqual([60, 20, 15, 1.2, 0, 0, 0]);
  expect(meta).toEqual({
    total: 7,
    outcomes: {
      invoice: { traders: 4, amount: '96.2' },
      excluded: { traders: 0, amount: '0' },
      carried: { traders: 1, amount: '0.95' },
      left_out: { traders: 2, amount: '0' },
    },
    unreachable: 1,
  });
  expect(await runOf(id)).toMatchObject({
    ...{ state: 'draft', invoices: 5, positions: 6, amount: '96.2', carried: 1, carried_amount: '0.95' },
    ...{ problem_count: 2, finished_at: null, sent_by: null, previous: null, drafted_at: expect.any(String) },
  });
  expect((await linesOf(id, { unreachable: 'true' })).data.map((line) => line.trader_id)).toEqual([
    traders.untold.id,
  ]);
  expect((await linesOf(id, { outcome: 'carried' })).meta.total).toBe(1);
  const [{ reference_number: reference } = { reference_number: null }] = data;
  expect((await linesOf(id, { search: reference ?? '' })).data.map((line) => line.trader_id)).toEqual([
    traders.large.id,
  ]);
  const pages = await Promise.all(
    [0, 3, 6].map((offset) => linesOf(id, { limit: '3', offset: String(offset) })),
  );
  expect(pages.flatMap((page) => page.data)).toEqual(data);
  expect(
    await world.owner(`SELECT (SELECT count(*) FROM invoice) AS invoices,
      (SELECT count(*) FROM message) AS messages, (SELECT count(*) FROM journal) AS journals`),
  ).toEqual(before);

  // A run that is sent at once does what the draft showed, and keeps the same lines.
  const atOnce = await call('POST /api/invoices/runs', { body: { community_id: community } });
  const { id: runId } = atOnce.json<{ data: { id: string } }>().data;
  await work();
  expect((await linesOf(runId)).data).toEqual(data);
  for (const line of data)
    expect(
      (await world.invoicesOf(line.trader_id)).reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    ).toBe(units(line.amount));
  expect(await runOf(runId)).toMatchObject({ state: 'done', invoices: 5, amount: '96.2', carried: 1 });

  // What was carried is invoiced as soon as it is enough.
  await world.addPositions(traders.small, '0.2');
  await world.invoice();
  expect(await amountsOf(traders.small)).toEqual([(usdt(105) / 100n).toString()]);
  expect(await findUnsound(world)).toEqual({});
  await world.owner('UPDATE provider SET invoicing_enabled = true', []);
  await world.owner('DELETE FROM closed_position WHERE closed_pnl IS NULL', []);
});

test('a draft is sent as it shows: without those left out, and without what came later', async () => {
  const community = await communityOf();
  const { sent, excluded, again, later } = await addTraders(community, {
    sent: ['100'],
    excluded: ['50'],
    again: ['30'],
    later: ['20'],
  });
  const id = await draftOf(community);
  expect((await exclude(id, [excluded, again])).json()).toMatchObject({
    data: { invoices: 2, positions: 2, amount: '60' },
  });
  // Twice is once.
  expect((await exclude(id, [excluded])).json()).toMatchObject({ data: { invoices: 2, amount: '60' } });
  expect((await exclude(id, [again], false)).json()).toMatchObject({ data: { invoices: 3, amount: '75' } });
  expect((await linesOf(id)).meta.outcomes).toMatchObject({
    invoice: { traders: 3, amount: '75' },
    excluded: { traders: 1, amount: '25' },
  });
  await world.addPositions(later, '1000');

  const answer = await sendDraft(id);
  expect(answer.json(), answer.body).toMatchObject({ data: { state: 'sending', invoices: 0, amount: '0' } });
  await work();
  expect(await amountsOf(sent)).toEqual([usdt(50).toString()]);
  expect(await amountsOf(again)).toEqual([usdt(15).toString()]);
  expect(await amountsOf(later)).toEqual([usdt(10).toString()]);
  expect(await amountsOf(excluded)).toEqual([]);
  const run = await runOf(id);
  expect(run).toMatchObject({ state: 'done', traders: 3, invoices: 3, amount: '75', problem_count: 0 });
  expect(run.messages.waiting).toBe(3);
  const [entry] = await world.owner<{ after: unknown }>(
    `SELECT after FROM audit_entry WHERE action = 'invoicing.sent' AND target_id = $1`,
    [id],
  );
  expect(entry?.after).toEqual({ invoices: 3, amount_units: usdt(75).toString(), excluded: 1 });

  // The next run takes the rest.
  await world.invoice();
  expect(await amountsOf(excluded)).toEqual([usdt(25).toString()]);
  expect(await amountsOf(later)).toEqual([usdt(10).toString(), usdt(500).toString()]);
  expect(await findUnsound(world)).toEqual({});
});

test('whoever is due something else than the draft showed is left to the next run', async () => {
  const community = await communityOf();
  const { same, corrected, rated, invoiced, raised } = await addTraders(community, {
    same: ['100'],
    corrected: ['60', '10'],
    rated: ['40'],
    invoiced: ['30'],
    raised: ['2.2'],
  });
  const id = await draftOf(community);
  const { amount } = await runOf(id);
  expect(amount).toBe('121.1');
  await world.owner('UPDATE closed_position SET closed_pnl = 59 WHERE trader_id = $1 AND closed_pnl = 60', [
    corrected.id,
  ]);
  await world.owner('UPDATE closed_position SET double_of = NULL, closed_pnl = 41 WHERE trader_id = $1', [
    rated.id,
  ]);
  await call('POST /api/invoices/runs', { body: { trader_id: invoiced.id } });
  await work();
  expect(await amountsOf(invoiced)).toEqual([usdt(15).toString()]);

  await sendDraft(id);
  const deps = world.turnDeps();
  const settings = { current: () => ({ ...deps.settings.current(), minimum_invoice_usdt: '1.2' }) };
  while (await takeInvoicingTurn({ ...deps, settings })) {
    // until nothing is left
  }
  expect(await amountsOf(same)).toEqual([usdt(50).toString()]);
  for (const trader of [corrected, rated, raised]) expect(await amountsOf(trader)).toEqual([]);
  expect(await amountsOf(invoiced)).toEqual([usdt(15).toString()]);
  expect(await runOf(id)).toMatchObject({ state: 'done', invoices: 1, amount: '50', problem_count: 4 });
  expect((await linesOf(id, { outcome: 'left_out' })).data.map(({ reason }) => reason)).toEqual(
    Array(4).fill('changed'),
  );
  await world.invoice();
  expect(await amountsOf(corrected)).toEqual([(usdt(345) / 10n).toString()]);
  expect(await amountsOf(raised)).toEqual([(usdt(11) / 10n).toString()]);
});

test('all that match are left out and taken in again, and what was not asked for stays', async () => {
  const community = await communityOf();
  const traders = await addTraders(community, {
    told: ['100'],
    untold: ['40'],
    other: ['60'],
    small: ['1.9'],
  });
  await world.owner(`UPDATE trader SET telegram_user_id = '' WHERE id = $1`, [traders.untold.id]);
  await world.owner(`UPDATE trader SET name = 'Zebulon' WHERE id = $1`, [traders.told.id]);
  const id = await draftOf(community);
  const excludeMatching = (matching: object, excluded = true) =>
    call('PATCH /api/invoices/runs/{id}/lines', { params: { id }, body: { matching, excluded } });
  const included = async () =>
    (await linesOf(id)).data.filter(({ outcome }) => outcome === 'invoice').map((line) => line.trader_id);
  await excludeMatching({ unreachable: 'true' });
  expect((await included()).toSorted()).toEqual([traders.told.id, traders.other.id].toSorted());
  expect(await runOf(id)).toMatchObject({ invoices: 2, amount: '80' });
  await excludeMatching({});
  expect(await included()).toEqual([]);
  await excludeMatching({ search: 'zebulon' }, false);
  expect(await included()).toEqual([traders.told.id]);
  await excludeMatching({ outcome: 'excluded' }, false);
  expect(await runOf(id)).toMatchObject({ invoices: 3, amount: '100' });
});

test('the run at its weekly time is a draft where the platform wants one', async () => {
  const { id, isNew } = await beginInvoicing(world.db, { isDraft: true });
  expect(isNew).toBe(true);
  expect(await runOf(id)).toMatchObject({ state: 'preparing', trader_id: null, community_id: null });
  // Another one does not wait for it.
  expect((await beginInvoicing(world.db, { isDraft: true })).isNew).toBe(true);
  await world.owner(`DELETE FROM invoicing_run WHERE state = 'preparing'`);
});

test('it is sent once, by whoever saw what it is now', async () => {
  const community = await communityOf();
  const { one, two } = await addTraders(community, { one: ['100'], two: ['50'] });
  const id = await draftOf(community);
  const body = { invoices: 2, amount: '75.000' };
  const attempt = (seen: object) => call('POST /api/invoices/runs/{id}/send', { params: { id }, body: seen });
  // Another person leaves a trader out meanwhile.
  await exclude(id, [two]);
  for (const seen of [body, { invoices: 1, amount: '49' }, { invoices: 2, amount: '50' }]) {
    const refused = await attempt(seen);
    expect([refused.statusCode, refused.json().error]).toEqual([409, 'run_changed']);
  }
  await exclude(id, [two], false);
  const both = await Promise.all([attempt(body), attempt(body)]);
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect(both.find(({ statusCode }) => statusCode === 409)?.json().error).toBe('run_not_draft');
  const late = await Promise.all([
    exclude(id, [two]),
    call('POST /api/invoices/runs/{id}/discard', { params: { id } }),
  ]);
  for (const refused of late) expect(refused.json().error).toBe('run_not_draft');
  await work();
  expect(await amountsOf(one)).toEqual([usdt(50).toString()]);
  expect(await amountsOf(two)).toEqual([usdt(25).toString()]);
});

test('a discarded draft invoices no trader; one that is not sent for a day is discarded', async () => {
  const community = await communityOf();
  const { one } = await addTraders(community, { one: ['100'] });
  const [first, second, third] = [
    await draftOf(community),
    await draftOf(community),
    await draftOf(community),
  ];
  const discarded = await call('POST /api/invoices/runs/{id}/discard', { params: { id: first } });
  expect(discarded.json()).toMatchObject({ data: { state: 'discarded', finished_at: expect.any(String) } });
  expect((await sendDraft(first)).json().error).toBe('run_not_draft');
  expect((await linesOf(first)).meta.total).toBe(1);

  const inADay = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);
  expect(await discardDrafts({ db: world.db, now: inADay(23) })).toBe(0);
  await sendDraft(third);
  // Drafts of other tests are as old.
  expect(await discardDrafts({ db: world.db, now: inADay(25) })).toBeGreaterThan(0);
  expect(await runOf(third)).toMatchObject({ state: 'sending' });
  expect(await runOf(second)).toMatchObject({ state: 'discarded' });
  expect((await linesOf(second)).meta.total).toBe(0);
  await work();
  expect(await amountsOf(one)).toEqual([usdt(50).toString()]);
});

test('another worker goes on with a draft that is prepared or sent', async () => {
  const community = await communityOf();
  const names = Array.from({ length: 130 }, (_, n) => `t${n}`);
  const traders = await addTraders(community, Object.fromEntries(names.map((name) => [name, ['4']])));
  const answer = await call('POST /api/invoices/runs', { body: { community_id: community, draft: true } });
  const { id } = answer.json<{ data: { id: string } }>().data;
  /** Stops after its first batch. */
  const stopped = () => {
    let looks = 0;
    return {
      get aborted() {
        looks += 1;
        return looks > 1;
      },
    } as AbortSignal;
  };
  await takeInvoicingTurn(world.turnDeps(), stopped());
  expect(await runOf(id)).toMatchObject({ state: 'preparing', traders: 100, invoices: 100 });
  await work();
  expect(await runOf(id)).toMatchObject({ state: 'draft', traders: 130, invoices: 130, amount: '260' });
  await exclude(id, [traders.t7 as SmallTrader]);
  await sendDraft(id);
  await takeInvoicingTurn(world.turnDeps(), stopped());
  expect(await runOf(id)).toMatchObject({ state: 'sending', traders: 100, invoices: 100 });
  await work();
  expect(await runOf(id)).toMatchObject({ state: 'done', traders: 129, invoices: 129, amount: '258' });
  expect(await findUnsound(world)).toEqual({});
});
