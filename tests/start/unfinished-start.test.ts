import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDataDir, removeDataDir, startProduct, waitUntil } from '../support/product.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = makeDataDir();
});
afterEach(() => removeDataDir(dataDir));

const start = () => startProduct({ COPYDESK_DATA_DIR: dataDir });
const partialFolders = () => readdirSync(dataDir).filter((name) => name.startsWith('postgres.partial-'));

test('a start killed while it made the database is simply done again', async () => {
  const killed = await start();
  await waitUntil(
    () => partialFolders().length > 0,
    10_000,
    () => 'the folder under construction',
  );
  killed.kill('SIGKILL');
  await killed.ended;
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

  const next = await start();
  await next.prints(/Copydesk is running/);
  expect(partialFolders()).toEqual([]);
  next.kill('SIGTERM');
  expect(await next.ended).toBe(0);
});

test('a start killed while it loaded the demo world loads the whole of it the next time', async () => {
  const killed = await start();
  await killed.prints(/loading invoices/);
  killed.kill('SIGKILL');
  await killed.ended;

  const next = await start();
  await next.prints(/Copydesk is running/);
  expect(next.output()).toContain('loading invoices');
  next.kill('SIGTERM');
  expect(await next.ended).toBe(0);
});

test.each(['Creating the database', 'loading invoices'])(
  'Ctrl-C at "%s" leaves nothing behind',
  async (moment) => {
    const product = await start();
    await product.prints(new RegExp(moment));
    product.kill('SIGINT');
    expect(await product.ended).toBe(0);
    expect(product.output()).not.toMatch(/Error|at .*\.ts:/);
    expect(product.leftBehind()).toEqual([]);
  },
);
