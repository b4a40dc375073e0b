import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startLoopbackVenue } from '../support/exchanges/loopback-venue.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('../../apps/server/src/bin/exchange.ts', import.meta.url));

test('a history of several pages is read to its end, although requests wait for the limits', async () => {
  const now = Date.now();
  const rows = Array.from({ length: 350 }, (_, nth) => ({
    instId: 'BTC-USDT-SWAP',
    instType: 'SWAP',
    ccy: 'USDT',
    type: '2',
    posId: String(nth + 1),
    direction: 'long',
    openAvgPx: '60000',
    closeAvgPx: '60010',
    closeTotalPos: '1',
    realizedPnl: '0.1',
    lever: '3',
    cTime: String(now - 10_000_000),
    uTime: String(now - 1_000_000 - nth * 1_000),
  }));
  await using venue = await startLoopbackVenue(({ path, query }) => {
    const contract = { instId: 'BTC-USDT-SWAP', ctVal: '0.01', ctMult: '1', ctType: 'linear' };
    if (path.includes('instruments')) return { body: { code: '0', data: [contract] } };
    const older = rows.filter(({ uTime }) => Number(uTime) < Number(query.get('after')));
    return { body: { code: '0', data: older.slice(0, 100) } };
  });
  const { stdout } = await run(process.execPath, [
    PROGRAM,
    ...['okx', 'closed', '--key=k', '--secret=s', '--passphrase=p', `--base-url=${venue.url}`],
  ]);
  const { items } = JSON.parse(stdout);
  expect(items).toHaveLength(350);
  expect(items[0]).toMatchObject({ symbol: 'BTCUSDT', closedPnl: '0.1', contracts: '0.01' });
}, 30_000);
