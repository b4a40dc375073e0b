import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countedRows, linesOfCsv } from '../../../../../tests/support/csv-lines.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import {
  createExportsWorld,
  type ExportsWorld,
  gatedParts,
  generated,
} from '../../../../../tests/support/world/exports-world.ts';

const ROWS = 15_000;
const MANY = 100_000;
let product: TestApp;
let world: ExportsWorld;
let staff: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  world = createExportsWorld(product, () => new Date());
  staff = await product.signIn('staff');
});
afterAll(() => product.close());
afterEach(() => world.clear());

/** Every row once, in order. */
const numbers = (rows: number) => Array.from({ length: rows }, (_, index) => String(index + 1));
const numbersOf = (file: Buffer) =>
  linesOfCsv(file)
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(',')));

test('a worker that dies leaves an export that another one writes from the beginning', async () => {
  const id = await world.begin(staff);
  const dying = gatedParts(product.db, 2);
  const dead = world.startWorker({ gate: dying, lists: generated(ROWS), keepMs: 3_600_000, leaseMs: 500 });
  await dying.arrived;
  expect(await world.stored(id)).toMatchObject({ state: 'running', parts: 2, attempts: 1 });

  const other = gatedParts(product.db, 1);
  world.startWorker({ gate: other, lists: generated(ROWS) });
  await other.arrived;
  // What the first has written went when the second took it.
  expect(await world.stored(id)).toMatchObject({ state: 'running', parts: 1, attempts: 2 });
  // The first was only asleep: it writes nothing more, and stops reading.
  dying.open();
  await dead.stop();
  expect(await world.stored(id)).toMatchObject({ state: 'running', parts: 1, attempts: 2 });
  other.open();
  expect(await world.ended(staff, id)).toMatchObject({ state: 'ready', rows: ROWS, rows_expected: ROWS });
  const file = (await world.download(staff, id)).rawPayload;
  expect(countedRows(file)).toBe(ROWS);
  expect(numbersOf(file)).toEqual(numbers(ROWS));
  await expect.poll(() => world.readers()).toEqual([]);
});

test('two workers write different exports, each of them once', async () => {
  const ids = [await world.begin(staff), await world.begin(staff), await world.begin(staff)];
  const lists = generated(5_000);
  const [one, two] = [gatedParts(product.db, 0), gatedParts(product.db, 0)];
  world.startWorker({ gate: one, lists });
  world.startWorker({ gate: two, lists });
  await Promise.all([one.arrived, two.arrived]);
  const states = await Promise.all(ids.map((id) => world.stored(id)));
  expect(states.map((row) => row?.state)).toEqual(['running', 'running', 'waiting']);
  one.open();
  two.open();
  for (const id of ids) {
    expect(await world.ended(staff, id)).toMatchObject({ state: 'ready', rows: 5_000 });
    expect((await world.stored(id))?.attempts).toBe(1);
    expect(numbersOf((await world.download(staff, id)).rawPayload)).toEqual(numbers(5_000));
  }
});

test('rows are read no faster than they are written, so that memory holds some of them', async () => {
  const id = await world.begin(staff);
  const gate = gatedParts(product.db, 0);
  world.startWorker({ gate, lists: generated(MANY) });
  await gate.arrived;
  // The reader waits for us once the streams in between are full: it waits for the next fetch.
  const idle = { waits: 'ClientRead' };
  let before = -1;
  await expect
    .poll(async () => {
      const { rows } = await world.find(staff, id);
      const isStill = rows === before;
      before = rows;
      return isStill && (await world.readers())[0];
    })
    .toEqual(idle);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(MANY / 4);
  gate.open();
  expect(await world.ended(staff, id)).toMatchObject({ state: 'ready', rows: MANY });
  const file = (await world.download(staff, id)).rawPayload;
  expect(countedRows(file)).toBe(MANY);
  expect(numbersOf(file)).toEqual(numbers(MANY));
});

test('the progress is written while it runs', async () => {
  const id = await world.begin(staff);
  const gate = gatedParts(product.db, 2);
  world.startWorker({ gate, lists: generated(ROWS) });
  await gate.arrived;
  await expect.poll(async () => (await world.find(staff, id)).rows).toBeGreaterThan(1_000);
  expect(await world.find(staff, id)).toMatchObject({ state: 'running', rows_expected: ROWS, bytes: null });
  gate.open();
  expect(await world.ended(staff, id)).toMatchObject({ state: 'ready' });
});

test('a worker that stops gives its export back, and the attempt does not count', async () => {
  const id = await world.begin(staff);
  const gate = gatedParts(product.db, 1);
  const worker = world.startWorker({ gate, lists: generated(ROWS) });
  await gate.arrived;
  const stopped = worker.stop();
  gate.open();
  await stopped;
  expect(await world.stored(id)).toMatchObject({ state: 'waiting', attempts: 0 });
  world.startWorker({ lists: generated(ROWS) });
  expect(await world.ended(staff, id)).toMatchObject({ state: 'ready', rows: ROWS });
  expect(numbersOf((await world.download(staff, id)).rawPayload)).toEqual(numbers(ROWS));
});

test('an export that fails three times is given up, and one that takes too long at once', async () => {
  const failing = await world.begin(staff);
  const broken = world.startWorker({
    lists: generated(ROWS, ', 1 / (n - 10000) AS broken'),
    leaseMs: 100,
    keepMs: 3_600_000,
  });
  expect(await world.ended(staff, failing)).toMatchObject({ state: 'failed', reason: 'failed', bytes: null });
  expect(await world.stored(failing)).toMatchObject({ attempts: 3, parts: 0 });
  await broken.stop();

  const slow = await world.begin(staff);
  const lists = generated(ROWS);
  const cancelled = Object.assign(new Error('canceling statement due to statement timeout'), {
    code: '57014',
  });
  world.startWorker({
    lists: { ...lists, traders: { ...lists.traders, prepare: () => Promise.reject(cancelled) } },
  });
  expect(await world.ended(staff, slow)).toMatchObject({ state: 'failed', reason: 'too_slow' });
});

test('a database too busy to keep a part is tried again, and not taken for a list that is too slow', async () => {
  const id = await world.begin(staff);
  const busy = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  let refused = 0;
  const db: TestApp['db'] = {
    ...product.db,
    async write(scope, actor, work) {
      if (work.toString().includes('addPart') && refused++ < 2) throw busy;
      return product.db.write(scope, actor, work);
    },
  };
  world.startWorker({ db, lists: generated(ROWS), leaseMs: 100, keepMs: 3_600_000 });
  expect(await world.ended(staff, id)).toMatchObject({ state: 'ready', rows: ROWS });
  expect(refused).toBeGreaterThan(2);
});
