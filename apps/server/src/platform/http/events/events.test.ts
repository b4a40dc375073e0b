import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeEvent } from '@copydesk/contract/operations';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type CuttableProxy, createCuttableProxy } from '../../../../../../tests/support/cuttable-proxy.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { shortenWaits } from '../../../../../../tests/support/short-waits.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { addAccount } from '../../../../../../tests/support/world/accounts.ts';
import { ownerOf } from '../../../../../../tests/support/world/rows.ts';

const ASK_EVERY_MS = 500;
shortenWaits({ connectMs: 3_000, askEveryMs: ASK_EVERY_MS, askMs: 500 });
let product: TestApp;
let proxy: CuttableProxy;
let url: string;
let superAdmin: string;
let staff: string;
let mine: string;
let foreign: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(product.app.server.address() as AddressInfo).port}`;
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  const ids = await asOwner<{ id: string; seen: boolean }>(
    product.ownerUrl,
    `SELECT t.id, EXISTS (SELECT FROM trader_provider s JOIN provider p ON p.id = s.provider_id
       WHERE s.trader_id = t.id AND p.name = 'aurora') AS seen FROM trader t`,
  );
  mine = ids.find((row) => row.seen)?.id ?? '';
  foreign = ids.find((row) => !row.seen)?.id ?? '';
});
afterAll(() => product.close());

/** Listens as a console does, and gathers what comes. */
async function listen(token: string, lastEventId?: string, at = url) {
  const controller = new AbortController();
  const response = await fetch(`${at}/api/events`, {
    headers: { authorization: token, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
    signal: controller.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  const events = () =>
    [...text.matchAll(/^data: (.*)$/gm)]
      .map(([, data = '{}']) => {
        // Only where there are replicas (`TEST_READ_REPLICA=1`).
        const { read_position: _, ...event } = JSON.parse(data);
        return event;
      })
      .filter((event) => event.topic)
      .map((event) => {
        expect(changeEvent.parse(event)).toEqual(event);
        return changeEvent.parse(event);
      });
  return {
    events,
    text: () => text,
    position: () => [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? '',
    async until(condition: () => boolean) {
      for (let tries = 0; tries < 200 && !condition(); tries++) await sleep(20);
      expect(condition(), text).toBe(true);
    },
    async close() {
      controller.abort();
      await reading;
    },
  };
}

async function isOldestEventSettled(): Promise<boolean> {
  const [row] = await asOwner<{ settled: boolean }>(
    product.ownerUrl,
    'SELECT min(xid) < pg_snapshot_xmin(pg_current_snapshot()) AS settled FROM change_event',
  );
  return row?.settled ?? false;
}

const touch = (id: string) =>
  send(
    product.app,
    'PATCH /api/traders/{id}',
    { params: { id }, body: { reference_number: crypto.randomUUID() } },
    superAdmin,
  );

/** A new account of the trader, whose equity was read just now. */
async function addReadAccount(equity: string, changes: object = {}): Promise<string> {
  const owner = ownerOf(product.ownerUrl);
  const [aurora] = await owner<{ id: string }>(`SELECT id FROM provider WHERE name = 'aurora'`);
  const trader = { id: mine, providerId: aurora?.id as string };
  return addAccount(owner, trader, {
    equity,
    equity_read_at: new Date(),
    ...changes,
  });
}

test('a change reaches everyone who may see it, and only them', async () => {
  const [all, one] = [await listen(superAdmin), await listen(staff)];
  await Promise.all([all, one].map((stream) => stream.until(() => stream.position() !== '')));
  await touch(foreign);
  await touch(mine);
  await all.until(() => all.events().some((event) => event.id === mine));
  await one.until(() => one.events().some((event) => event.id === mine));
  expect(all.events().map((event) => event.id)).toContain(foreign);
  expect(one.events().map((event) => event.id)).not.toContain(foreign);
  await Promise.all([all.close(), one.close()]);
});

test('a change of an invoice names it to its provider; many at once are named by their traders', async () => {
  type Invoice = { id: string; trader_id: string; provider_id: string; is_mine: boolean };
  const invoices = await asOwner<Invoice>(
    product.ownerUrl,
    `SELECT i.id, i.trader_id, i.provider_id, p.name = 'aurora' AS is_mine
     FROM invoice i JOIN provider p ON p.id = i.provider_id ORDER BY i.id`,
  );
  const [ours, others] = [true, false].map((isMine) => invoices.filter(({ is_mine }) => is_mine === isMine));
  const [first, second] = [ours?.[0] as Invoice, others?.[0] as Invoice];
  const [all, one] = [await listen(superAdmin), await listen(staff)];
  const seenBy = ({ events }: typeof all) => events().filter(({ topic }) => topic === 'invoice');
  await Promise.all([all, one].map((stream) => stream.until(() => stream.position() !== '')));
  const write = (ids: readonly string[]) =>
    asOwner(product.ownerUrl, 'UPDATE invoice SET updated_at = now() WHERE id = ANY ($1)', [ids]);

  await write([first.id, second.id]);
  await all.until(() => seenBy(all).length === 2);
  await one.until(() => seenBy(one).length === 1);
  const named = ({ id, trader_id }: Invoice) => ({ topic: 'invoice', id, trader_id, at: expect.any(String) });
  expect(seenBy(all)).toEqual(expect.arrayContaining([named(first), named(second)]));
  expect(seenBy(one)).toEqual([named(first)]);

  const many = invoices.slice(0, 101);
  await write(many.map(({ id }) => id));
  const traders = new Set(many.map(({ trader_id }) => trader_id));
  await all.until(() => seenBy(all).length === 2 + traders.size);
  const unnamed = seenBy(all).slice(2);
  expect(unnamed.map(({ id }) => id)).toEqual(unnamed.map(() => null));
  expect(new Set(unnamed.map(({ trader_id }) => trader_id))).toEqual(traders);
  await Promise.all([all.close(), one.close()]);
});

test('a reconnecting listener gets the missed events, including late commits with older numbers', async () => {
  // An event from before, so that the position is known to reach back far enough. Positions are of the whole
  // cluster: a transaction in the database of another test file, begun before the event, holds them back.
  await touch(mine);
  await expect.poll(() => isOldestEventSettled(), { timeout: 10_000 }).toBe(true);
  // A transaction that writes its event first and commits last.
  const slow = new pg.Client({ connectionString: product.ownerUrl });
  await slow.connect();
  await slow.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
  await slow.query(
    "UPDATE trader SET language = CASE language WHEN 'en' THEN 'es' ELSE 'en' END WHERE id = $1",
    [foreign],
  );

  const first = await listen(superAdmin);
  await first.until(() => first.position() !== '');
  await touch(mine);
  await first.until(() => first.events().some((event) => event.id === mine));
  const position = first.position();
  await first.close();

  await slow.query('COMMIT');
  await slow.end();
  const second = await listen(superAdmin, position);
  await second.until(() => second.events().some((event) => event.id === foreign));
  expect(second.events().map((event) => event.topic)).not.toContain('reset');
  await second.close();
}, 20_000);

test('a position that is no longer known is answered with a reset', async () => {
  const stream = await listen(superAdmin, '1');
  await stream.until(() => stream.events().some((event) => event.topic === 'reset'));
  await stream.close();
});

test('the sums of a trader follow its accounts, and say so', async () => {
  const stream = await listen(staff);
  await stream.until(() => stream.position() !== '');
  await addReadAccount('123.5', { acc_uid: 'new-account' });
  await stream.until(() => stream.events().some((event) => event.id === mine));
  const read = async () =>
    (
      await send(
        product.app,
        'GET /api/traders/{id}',
        { params: { id: mine }, query: { include_aum: 'true', include_exchanges: 'true' } },
        staff,
      )
    ).json().data;
  const { aum, exchanges } = await read();
  const equities = exchanges.map((account: { equity: string | null }) => Number(account.equity ?? 0));
  expect(aum).toBeCloseTo(
    equities.reduce((a: number, b: number) => a + b, 0),
    6,
  );
  expect(exchanges).toContainEqual(expect.objectContaining({ acc_uid: 'new-account' }));
  await stream.close();
});

test('two accounts of one trader that change at the same time both count', async () => {
  const before = await asOwner(product.ownerUrl, 'SELECT aum::float8 FROM trader WHERE id = $1', [mine]);
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => addReadAccount('10', { exchange: 'okx', acc_uid: `race-${n}` })),
  );
  const after = await asOwner(product.ownerUrl, 'SELECT aum::float8 FROM trader WHERE id = $1', [mine]);
  expect(after[0]?.aum).toBeCloseTo((before[0]?.aum ?? 0) + 80, 6);
});

test('with a long transaction open, many changes become a reset, and no later one is lost', {
  timeout: 30_000,
}, async () => {
  const console = await listen(superAdmin);
  await console.until(() => console.position() !== '');
  const blocker = new pg.Client({ connectionString: product.ownerUrl });
  await blocker.connect();
  await blocker.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
  await blocker.query('SELECT pg_current_xact_id()');
  const ids = await asOwner<{ id: string }>(product.ownerUrl, 'SELECT id FROM trader ORDER BY id LIMIT 60');
  const rounds = Array.from(
    { length: 11 },
    (_, round) => `UPDATE trader SET language = '${round % 2 ? 'es' : 'pl'}'`,
  );
  await asOwner(product.ownerUrl, `BEGIN; ${rounds.join('; ')}; COMMIT`);
  await console.until(() => console.events().some((event) => event.topic === 'reset'));
  const heard = () => console.events().filter((event) => event.id === ids[3]?.id).length;
  const change = (language: string) =>
    asOwner(product.ownerUrl, `UPDATE trader SET language = '${language}' WHERE id = '${ids[3]?.id}'`);
  const before = heard();
  await change('ar');
  await console.until(() => heard() === before + 1);
  await blocker.query('COMMIT');
  await blocker.end();
  await change('ru');
  await console.until(() => heard() >= before + 2);
  await console.close();
});

test('a listening connection that goes silent is noticed: no stream says that it is live, and nothing is missed', async () => {
  const viaProxy = await createTestApp({
    sharing: product,
    viaProxy: async (ownerUrl) => {
      proxy = await createCuttableProxy(ownerUrl);
      return proxy.url;
    },
  });
  onTestFinished(async () => {
    await viaProxy.close();
    await proxy.close();
  });
  await viaProxy.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = viaProxy.app.server.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stream = await listen(superAdmin, undefined, `http://127.0.0.1:${port}`);
  await stream.until(() => stream.position() !== '');
  const beats = () => stream.text().split(': still here').length - 1;
  const beat = () => vi.advanceTimersByTime(8_000);
  // Nothing is said before this process listens as well, and that goes through the proxy.
  for (let tries = 0; tries < 200 && beats() === 0; tries++) {
    beat();
    await sleep(50);
  }
  await sleep(200);
  const first = beats();
  expect(first, stream.text()).toBeGreaterThan(0);

  // Only the connection that listens; and no new one works.
  proxy.mute();
  proxy.silence('copydesk-events');
  await touch(mine);
  // A process that came to listen after the clock stopped asks by that clock as well: its next turn, before a beat.
  vi.advanceTimersByTime(ASK_EVERY_MS);
  await expect
    .poll(() => viaProxy.logged.join(''), { timeout: 20_000 })
    .toMatch(/listening to the database failed/);
  beat();
  await sleep(100);
  expect(beats()).toBe(first);

  proxy.mend();
  await stream.until(() => stream.events().some((event) => event.id === mine));
  beat();
  await stream.until(() => beats() === first + 1);
  await stream.close();
});

test("what is one person's own is announced to this person alone, at once and after an interruption", async () => {
  await touch(mine);
  await expect.poll(() => isOldestEventSettled(), { timeout: 10_000 }).toBe(true);
  const streams = [await listen(superAdmin), await listen(staff)] as const;
  const [other, own] = streams;
  await Promise.all(streams.map((stream) => stream.until(() => stream.position() !== '')));
  const from = own.position();
  const created = await send(product.app, 'POST /api/exports', { body: { list: 'traders' } }, staff);
  const { id } = created.json().data;
  const event = { topic: 'export', id, trader_id: null, at: expect.any(String) };
  await own.until(() => own.events().some(({ topic }) => topic === 'export'));
  expect(own.events()).toContainEqual(event);
  // A later change that both see: whatever came before it has come.
  await touch(mine);
  await other.until(() => other.events().some((seen) => seen.id === mine));
  expect(other.events().map(({ topic }) => topic)).not.toContain('export');
  await Promise.all(streams.map((stream) => stream.close()));

  const [otherAgain, ownAgain] = [await listen(superAdmin, from), await listen(staff, from)];
  await ownAgain.until(() => ownAgain.events().some(({ topic }) => topic === 'export'));
  expect(ownAgain.events()).toContainEqual(event);
  await otherAgain.until(() => otherAgain.events().some((seen) => seen.id === mine));
  expect(otherAgain.events().map(({ topic }) => topic)).not.toContain('export');
  await Promise.all([otherAgain.close(), ownAgain.close()]);
});

test('settings, columns and views are announced to the person whose they are', async () => {
  const streams = [await listen(superAdmin), await listen(staff)] as const;
  const [other, own] = streams;
  await Promise.all(streams.map((stream) => stream.until(() => stream.position() !== '')));
  const announced = (stream: typeof own) =>
    stream.events().filter(({ topic }) => topic === 'own_setting').length;
  const layout = { order: [], hidden: ['aum'], widths: {}, pinned: null };
  const screen = 'traders' as const;
  const params = { list: screen };
  let expected = 0;
  const isAnnounced = async (changed: Promise<{ statusCode: number; json(): { data?: { id: string } } }>) => {
    const answer = await changed;
    expect(answer.statusCode).toBeLessThan(300);
    expected += 1;
    await own.until(() => announced(own) === expected);
    return answer.json().data?.id ?? '';
  };
  await isAnnounced(send(product.app, 'PATCH /api/me/settings', { body: { density: 'compact' } }, staff));
  await isAnnounced(send(product.app, 'PUT /api/me/lists/{list}', { params, body: layout }, staff));
  await isAnnounced(send(product.app, 'DELETE /api/me/lists/{list}', { params }, staff));
  const body = { screen, name: 'Mine', query: 'tab=connected' };
  const id = await isAnnounced(send(product.app, 'POST /api/saved-views', { body }, staff));
  await isAnnounced(
    send(product.app, 'PUT /api/saved-views/default', { body: { screen, view_id: id } }, staff),
  );
  const nothing = { topic: 'own_setting', id: null, trader_id: null, at: expect.any(String) };
  expect(own.events().at(-1)).toEqual(nothing);
  await touch(mine);
  await other.until(() => other.events().some((seen) => seen.id === mine));
  expect(announced(other)).toBe(0);
  await Promise.all(streams.map((stream) => stream.close()));
});

test('what one does about an item is announced to those who see it', async () => {
  const streams = [await listen(superAdmin), await listen(staff)] as const;
  await Promise.all(streams.map((stream) => stream.until(() => stream.position() !== '')));
  const announced = (stream: (typeof streams)[0]) =>
    stream.events().filter(({ topic }) => topic === 'attention');
  const [aurora] = await asOwner<{ id: string }>(
    product.ownerUrl,
    `SELECT id FROM provider WHERE name = 'aurora'`,
  );
  const mark = (of: string | null) =>
    asOwner(
      product.ownerUrl,
      `INSERT INTO attention_mark (kind, subject, provider_id, taken_by_id, taken_by, taken_at)
       VALUES ('keys_failing', $2, $1, 'someone', 'Someone', now())
       ON CONFLICT ON CONSTRAINT attention_mark_once DO UPDATE SET version = attention_mark.version + 1`,
      [of, mine],
    );
  await mark(aurora?.id ?? '');
  await Promise.all(streams.map((stream) => stream.until(() => announced(stream).length === 1)));
  expect(announced(streams[1])).toEqual([
    { topic: 'attention', id: null, trader_id: null, at: expect.any(String) },
  ]);
  // One of super admins alone.
  await mark(null);
  await streams[0].until(() => announced(streams[0]).length === 2);
  await touch(mine);
  await streams[1].until(() => streams[1].events().some((seen) => seen.id === mine));
  expect(announced(streams[1])).toHaveLength(1);
  await Promise.all(streams.map((stream) => stream.close()));
});

test('what changes after an answer was read reaches who listens from its position', async () => {
  const read = () => send(product.app, 'GET /api/traders/{id}', { params: { id: mine } }, staff);
  const positionOf = async () => String((await read()).headers['x-events-position']);
  const first = await positionOf();
  expect(first).toMatch(/^\d+$/);
  // It moves with a change, up to what is still running: of another test beside this one, too.
  const touchUntilPast = (before: string) =>
    expect
      .poll(async () => {
        await touch(mine);
        // Until it was read: what is read later would move the position once more.
        await sleep(150);
        return positionOf();
      })
      .not.toBe(before);
  await touchUntilPast(first);
  const position = await positionOf();
  await touch(mine);
  const stream = await listen(staff, position);
  await stream.until(() => stream.events().some(({ id }) => id === mine));
  expect(stream.events().map(({ topic }) => topic)).not.toContain('reset');
  await stream.close();

  // After a day without changes none is stored any more, and none was missed.
  await touchUntilPast(position);
  await asOwner(product.ownerUrl, 'DELETE FROM change_event');
  const quiet = await listen(staff, await positionOf());
  await touch(mine);
  await quiet.until(() => quiet.events().some(({ id }) => id === mine));
  expect(quiet.events().map(({ topic }) => topic)).not.toContain('reset');
  await quiet.close();

  // Nothing is said to who is not signed in, and of what was written.
  const others = [
    await send(product.app, 'GET /api/config', {}),
    await send(product.app, 'GET /api/traders/{id}', { params: { id: mine } }),
    await touch(mine),
  ];
  expect(others.map(({ headers }) => headers['x-events-position'])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
