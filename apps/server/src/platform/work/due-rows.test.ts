import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { WHOLE_SCOPE, type WriteTx } from '../db/database.ts';
import { dueRows, type Held } from './due-rows.ts';
import { WORKER_ACTOR } from './worker-actor.ts';

// Two workers and one row, over all that can happen to them, on the real database: every statement of either, a kill
// before and after its commit, a lease that ends while its holder is stopped, and a clock that is an hour off.

const ROW = '00000000-0000-4000-8000-000000000001';
const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;
const WORK = dueRows({ table: 'test_work', due: 'due_at' });

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  await asOwner(
    product.ownerUrl,
    `CREATE TABLE test_work (id uuid PRIMARY KEY, due_at timestamptz NOT NULL, leased_until timestamptz,
       lease_number bigint NOT NULL DEFAULT 0, ends int NOT NULL DEFAULT 0)`,
  );
  await asOwner(product.ownerUrl, 'GRANT SELECT, INSERT, UPDATE, DELETE ON test_work TO copydesk_app');
});
afterAll(() => product?.close());

/** What a worker believes: nothing; that it holds the row; the same of a lease that another has taken over. */
type Belief = 'idle' | 'holds' | 'stale';
interface State {
  lease: 'none' | 'running' | 'over';
  /** By a right clock. */
  due: 'now' | 'later';
  isDone: boolean;
  beliefs: readonly [Belief, Belief];
}

/** Above those of an earlier leader: the database of a test is on its first timeline. */
const NUMBER = (1n << 32n) + 7n;
const believed = (belief: Belief): Held => ({
  id: ROW,
  leaseNumber: String(belief === 'holds' ? NUMBER : NUMBER - 1n),
});

/** Stores a state, does one thing in its transaction, and reads what has become of the row. */
async function from<T>(
  state: State,
  act: (tx: WriteTx) => Promise<T>,
  { isKilled = false } = {},
): Promise<{ result: T; row: Row }> {
  const write = <R>(work: (tx: WriteTx) => Promise<R>) => product.db.write(WHOLE_SCOPE, WORKER_ACTOR, work);
  const lease = { none: null, running: '1 minute', over: '-1 minute' }[state.lease];
  await write((tx) =>
    sql`INSERT INTO test_work (id, due_at, leased_until, lease_number, ends)
      VALUES (${ROW}, now() + ${state.due === 'now' ? '-2 hours' : '30 minutes'}::interval,
        now() + ${lease}::interval, ${NUMBER.toString()}, ${state.isDone ? 1 : 0})
      ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, leased_until = excluded.leased_until,
        lease_number = excluded.lease_number, ends = excluded.ends`.execute(tx.sql),
  );
  let result: T | undefined;
  await write(async (tx) => {
    result = await act(tx);
    if (isKilled) throw new Error('killed before its commit');
  }).catch((error) => {
    if (!isKilled) throw error;
  });
  const { rows } = await product.db.read(WHOLE_SCOPE, (tx) =>
    sql<Row>`SELECT lease_number::text AS number, ends,
      CASE WHEN leased_until IS NULL THEN 'none' WHEN leased_until > now() THEN 'running' ELSE 'over' END AS lease,
      CASE WHEN due_at <= now() THEN 'now' ELSE 'later' END AS due FROM test_work`.execute(tx.sql),
  );
  return { result: result as T, row: rows[0] as Row };
}
interface Row {
  number: string;
  ends: number;
  lease: State['lease'];
  due: State['due'];
}

/** @param offMs how far the clock of this worker is off */
const claim = (tx: WriteTx, offMs: number) => {
  const at = new Date(Date.now() + offMs);
  return WORK.claim(tx, {
    at,
    leaseMs: LEASE_MS,
    pick: sql`SELECT d.id FROM test_work d WHERE d.ends = 0 AND ${WORK.isFree('d', at)} LIMIT 1
      FOR UPDATE SKIP LOCKED`,
  });
};

const ENDS = {
  renew: (tx: WriteTx, held: Held, offMs: number) =>
    WORK.renew(tx, held, { at: new Date(Date.now() + offMs), leaseMs: LEASE_MS }),
  finish: (tx: WriteTx, held: Held) => WORK.finish(tx, held, { set: sql`ends = ends + 1` }),
  postpone: (tx: WriteTx, held: Held) =>
    WORK.finish(tx, held, { nextAt: sql`now() + interval '30 minutes'` }),
  giveBack: (tx: WriteTx, held: Held, offMs: number) => WORK.giveBack(tx, held, new Date(Date.now() + offMs)),
};

interface Move {
  name: string;
  to: State;
}

/** Everything that can happen in a state, each checked where it happens. */
async function movesFrom(
  state: State,
  { offMs, isFenced }: { offMs: readonly [number, number]; isFenced: boolean },
) {
  const moves: Move[] = [];
  const unchanged = {
    number: String(NUMBER),
    ends: state.isDone ? 1 : 0,
    lease: state.lease,
    due: state.due,
  };
  const reached = (row: Row, beliefs: State['beliefs']): State => ({
    lease: row.lease,
    due: row.due,
    isDone: row.ends > 0,
    beliefs,
  });
  const believing = (worker: 0 | 1, own: Belief, isTaken: boolean): State['beliefs'] => {
    const other = state.beliefs[1 - worker] as Belief;
    const others: Belief = isTaken && other === 'holds' ? 'stale' : other;
    return worker === 0 ? [own, others] : [others, own];
  };

  for (const worker of [0, 1] as const) {
    const belief = state.beliefs[worker];
    const off = offMs[worker];
    const name = `worker ${worker + 1}`;
    if (belief === 'idle') {
      const { result: taken, row } = await from(state, (tx) => claim(tx, off));
      const isDue = off > 0 || state.due === 'now';
      if (off >= 0)
        expect(taken.length, name).toBe(!state.isDone && isDue && state.lease !== 'running' ? 1 : 0);
      if (taken.length === 0) expect(row).toEqual(unchanged);
      else {
        expect(state.lease, `${name} takes what another works on`).not.toBe('running');
        expect(row).toMatchObject({ number: String(NUMBER + 1n), lease: 'running' });
        moves.push({ name: `${name} takes`, to: reached(row, believing(worker, 'holds', true)) });
        moves.push({
          name: `${name} takes, and is killed before it knows`,
          to: reached(row, believing(worker, 'idle', true)),
        });
        const killed = await from(state, (tx) => claim(tx, off), { isKilled: true });
        expect(killed.row).toEqual(unchanged);
      }
      continue;
    }
    moves.push({ name: `${name} is killed`, to: { ...state, beliefs: believing(worker, 'idle', false) } });
    for (const [what, end] of Object.entries(ENDS)) {
      const held = believed(isFenced ? belief : 'holds');
      const { result: isOurs, row } = await from(state, (tx) => end(tx, held, off));
      expect(isOurs, `${name}: ${what} of a lease that is ${belief}`).toBe(belief === 'holds');
      const killed = await from(state, (tx) => end(tx, held, off), { isKilled: true });
      expect(killed.row).toEqual(unchanged);
      if (!isOurs) {
        expect(row).toEqual(unchanged);
        moves.push({
          name: `${name} learns that it lost`,
          to: { ...state, beliefs: believing(worker, 'idle', false) },
        });
      } else if (what === 'renew')
        moves.push({ name: `${name} renews`, to: reached(row, believing(worker, 'holds', false)) });
      else {
        expect(row).toMatchObject({ number: String(NUMBER + 1n), lease: 'none' });
        moves.push({ name: `${name}: ${what}`, to: reached(row, believing(worker, 'idle', true)) });
        moves.push({
          name: `${name}: ${what}, and it is killed before it knows`,
          to: reached(row, believing(worker, 'stale', true)),
        });
      }
    }
  }
  if (state.lease === 'running')
    moves.push({ name: 'the lease ends', to: { ...state, lease: 'over', due: 'now' } });
  if (state.due === 'later') moves.push({ name: 'it becomes due', to: { ...state, due: 'now' } });
  return moves;
}

/** All states that can be reached from a row that has just become due, and how. */
async function search(world: Parameters<typeof movesFrom>[1]): Promise<Map<string, Move[]>> {
  const first: State = { lease: 'none', due: 'now', isDone: false, beliefs: ['idle', 'idle'] };
  const seen = new Map<string, Move[]>();
  const left = [first];
  for (let state = left.pop(); state; state = left.pop()) {
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    const moves = await movesFrom(state, world);
    seen.set(key, moves);
    for (const { to } of moves) {
      expect(to.beliefs.filter((belief) => belief === 'holds').length, 'two hold one row').toBeLessThan(2);
      left.push(to);
    }
  }
  return seen;
}

/** The states from which the work gets done. */
function finishing(seen: ReadonlyMap<string, Move[]>): Set<string> {
  const done = new Set([...seen.keys()].filter((key) => (JSON.parse(key) as State).isDone));
  for (let before = -1; before !== done.size; ) {
    before = done.size;
    for (const [key, moves] of seen) if (moves.some(({ to }) => done.has(JSON.stringify(to)))) done.add(key);
  }
  return done;
}

test.each([
  ['clocks that agree', [0, 0]],
  ['a clock that is an hour behind', [0, -HOUR_MS]],
  ['a clock that is an hour ahead', [0, HOUR_MS]],
] as const)('%s: one worker at a time, no late write, and no state without a way out', async (_, offMs) => {
  const seen = await search({ offMs, isFenced: true });
  expect(seen.size).toBeGreaterThan(20);
  expect(finishing(seen).size).toBe(seen.size);
});

test('the same search finds the late write of a worker that has no number', async () => {
  await expect(search({ offMs: [0, 0], isFenced: false })).rejects.toThrow(/of a lease that is stale/);
});

test('what was asked for during a turn stays, where the turn says nothing of it', async () => {
  const held: State = { lease: 'running', due: 'later', isDone: false, beliefs: ['holds', 'idle'] };
  const { row } = await from(held, async (tx) => {
    await sql`UPDATE test_work SET due_at = now() - interval '1 second'`.execute(tx.sql);
    return WORK.finish(tx, believed('holds'), {});
  });
  expect(row).toMatchObject({ lease: 'none', due: 'now' });
});

test('a number that an earlier leader gave and lost is not given again', async () => {
  const state: State = { lease: 'none', due: 'now', isDone: false, beliefs: ['idle', 'idle'] };
  const { row } = await from(state, async (tx) => {
    await sql`UPDATE test_work SET lease_number = 41`.execute(tx.sql);
    const [held] = await claim(tx, 0);
    // Its worker had taken the row as 42, before the leader was lost.
    expect(await WORK.finish(tx, { id: ROW, leaseNumber: '42' }, {})).toBe(false);
    return held;
  });
  expect(row).toMatchObject({ number: String(1n << 32n), lease: 'running' });
});

test('a row that is done is deleted by its holder only', async () => {
  const state: State = { lease: 'running', due: 'later', isDone: false, beliefs: ['holds', 'stale'] };
  expect((await from(state, (tx) => WORK.remove(tx, believed('stale')))).result).toBe(false);
  expect((await from(state, (tx) => WORK.remove(tx, believed('holds')))).result).toBe(true);
});

test('only who sees everything takes rows as work', async () => {
  await expect(
    product.db.write({ kind: 'providers', providerIds: [] }, WORKER_ACTOR, (tx) => claim(tx, 0)),
  ).rejects.toThrow('only workers');
});
