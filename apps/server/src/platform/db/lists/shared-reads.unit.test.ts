import { AsyncResource } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { type Database, WHOLE_SCOPE } from '../database.ts';
import { currentPositions, notePosition, openPositions, withPositions } from '../position.ts';
import { createSharedReads } from './shared-reads.ts';

/** A database whose connections are given out by hand. */
function createQueue() {
  const starts: (() => unknown)[] = [];
  const refusals: ((error: Error) => void)[] = [];
  const readAny: Database['readAny'] = (_scope, work) =>
    new Promise((resolve, reject) => {
      refusals.push(reject);
      // As the driver: a connection that comes later goes on in the request that waits for it.
      starts.push(AsyncResource.bind(() => work(undefined as never).then(resolve, reject)));
    });
  return { db: { readAny } as Database, starts, refusals };
}

test('equal requests share a waiting read; one after its start gets its own', async () => {
  const { db, starts } = createQueue();
  const read = createSharedReads(db);
  let count = 0;
  const ask = () => read('page 1', WHOLE_SCOPE, async () => ++count);
  const early = [ask(), ask(), ask()];
  starts[0]?.();
  const late = ask();
  starts[1]?.();
  expect(await Promise.all([...early, late])).toEqual([1, 1, 1, 2]);
});

test('another name or another scope is another read', async () => {
  const { db, starts } = createQueue();
  const read = createSharedReads(db);
  const staff = { kind: 'providers', providerIds: ['a'] } as const;
  const asked = [
    read('page 1', WHOLE_SCOPE, async () => 'all 1'),
    read('page 2', WHOLE_SCOPE, async () => 'all 2'),
    read('page 1', staff, async () => 'staff 1'),
  ];
  for (const start of starts) start();
  expect(await Promise.all(asked)).toEqual(['all 1', 'all 2', 'staff 1']);
});

test('a read without a connection fails for everyone who shared it, and is retried', async () => {
  const { db, starts, refusals } = createQueue();
  const read = createSharedReads(db);
  const ask = () => read('page 1', WHOLE_SCOPE, async () => 'rows');
  const refused = [ask(), ask()];
  refusals[0]?.(new Error('no connection'));
  expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = ask();
  starts[1]?.();
  expect(await again).toBe('rows');
});

test('a shared read needs what any of those who wait for it needs, and each learns how far it has seen', async () => {
  const { db, starts } = createQueue();
  const read = createSharedReads(db);
  const [early, late] = [openPositions('0/64'), openPositions('0/C8')];
  const needed: (bigint | null | undefined)[] = [];
  const work = async () => {
    needed.push(currentPositions()?.needed);
    notePosition(currentPositions(), 500n);
    return 'page';
  };
  const asked = [early, late].map((positions) =>
    withPositions(positions, () => read('page 1', WHOLE_SCOPE, work)),
  );
  expect(starts).toHaveLength(1);
  starts[0]?.();
  expect(await Promise.all(asked)).toEqual(['page', 'page']);
  expect(needed).toEqual([200n]);
  expect([early.seen, late.seen]).toEqual([500n, 500n]);
});

test('who does not know of positions shares with others like it alone: it reads on the leader', async () => {
  const { db, starts } = createQueue();
  const read = createSharedReads(db);
  const ask = (header?: string) =>
    withPositions(openPositions(header), () => read('page 1', WHOLE_SCOPE, async () => header ?? 'leader'));
  const asked = [ask('0/64'), ask(), ask()];
  expect(starts).toHaveLength(2);
  for (const start of starts) start();
  expect(await Promise.all(asked)).toEqual(['0/64', 'leader', 'leader']);
});
