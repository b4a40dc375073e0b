import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDataDir, type Product, removeDataDir, startProduct, waitUntil } from '../support/product.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = makeDataDir();
});
afterEach(() => removeDataDir(dataDir));

const start = () => startProduct({ COPYDESK_DATA_DIR: dataDir });
const construction = () => join(dataDir, 'postgres.partial');

// One data folder through its misfortunes: each start goes on where the one before was ended.
test('a start that was killed, or stopped half way, is simply done again', async () => {
  const making = await start();
  await waitUntil(
    () => existsSync(construction()),
    10_000,
    () => 'the folder under construction',
  );
  making.kill('SIGKILL');
  await making.ended;
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

  const loading = await start();
  await loading.prints(/computing payouts/);
  expect(existsSync(construction())).toBe(false);
  loading.kill('SIGKILL');
  await loading.ended;

  const stopped = await start();
  await stopped.prints(/computing payouts/);
  await stopInOrder(stopped);

  const whole = await start();
  await whole.prints(/Copydesk is running/);
  expect(whole.output()).not.toContain('Creating the database');
  expect(whole.output()).toContain('computing payouts');
  whole.kill('SIGTERM');
  expect(await whole.ended).toBe(0);
});

test('Ctrl-C while it makes the database leaves nothing behind', async () => {
  const product = await start();
  await product.prints(/Creating the database/);
  await stopInOrder(product);
});

async function stopInOrder(product: Product): Promise<void> {
  product.kill('SIGINT');
  expect(await product.ended).toBe(0);
  expect(product.output()).not.toMatch(/Error|at .*\.ts:/);
  expect(product.leftBehind()).toEqual([]);
}
