import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import { afterAll, expect, test } from 'vitest';
import { createExchangeGateway } from '../../apps/server/src/integrations/exchanges/create-gateway.ts';
import { identifier } from '../../apps/server/src/integrations/exchanges/shapes/read-shape.ts';
import { settingsAt } from '../support/exchanges/loopback-venue.ts';
import { startSimulatedVenue } from '../support/exchanges/simulated-venue.ts';

// One integer above 2^53 anywhere in an answer makes the client's parser hand over every number of it as text.

const BIG = '"a_huge_number":9007199254740993,';
const DAY_MS = 86_400_000;
const FIXED = Date.now();

/** Passes requests on to a venue, and adds a huge integer to every object of its answers. */
async function startEnlarging(target: string) {
  let enlarged = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const {
      host: _,
      connection: __,
      'content-length': ___,
      'accept-encoding': ____,
      ...headers
    } = incoming.headers;
    const answer = await fetch(`${target}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const changed = text.replace(/\{(?=")/g, `{${BIG}`);
    if (changed !== text) enlarged += 1;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(changed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, enlarged: () => enlarged, close: () => server.close() };
}

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

test.each([...EXCHANGES])(
  '%s: every read is the same when all numbers come as text',
  async (exchange: Exchange) => {
    const venue = await startSimulatedVenue(exchange, { now: () => FIXED });
    const through = await startEnlarging(venue.url);
    const gateway = createExchangeGateway(settingsAt(through.url, { budgetShare: 1_000 }), {
      now: () => FIXED,
    });
    closers.push(through.close, gateway.close, () => venue[Symbol.asyncDispose]());
    const direct = createExchangeGateway(settingsAt(venue.url, { budgetShare: 1_000 }), { now: () => FIXED });
    closers.push(direct.close);

    const options = { priority: 'interactive', maxAgeMs: 0 } as const;
    const told = (read: Promise<unknown>) => read.catch((error) => ({ refused: error.code }));
    const range = { sinceMs: FIXED - 9 * DAY_MS, untilMs: FIXED };
    const spares = [
      'plain',
      'may_withdraw',
      'other_coins',
      'inverse_apart',
      'single_asset',
      'unified',
      'other_dex',
    ];
    const some = [
      ...venue.trading.slice(0, 3),
      ...spares.flatMap((name) => {
        try {
          return [venue.spare(name)];
        } catch {
          return []; // not on this exchange
        }
      }),
    ];
    for (const one of some) {
      const account = venue.ours(one);
      for (const read of [
        (from: typeof gateway) => told(from.verify(account.credentials, options)),
        (from: typeof gateway) => told(from.equity(account, options)),
        (from: typeof gateway) => told(from.openPositions(account, options)),
        (from: typeof gateway) => told(from.keyInfo(account, options)),
        (from: typeof gateway) => told(from.closedPositions(account, range, options)),
      ])
        expect(await read(gateway)).toEqual(await read(direct));
    }
    expect(through.enlarged()).toBeGreaterThan(5);
  },
);

test('an id keeps every digit, as text or as a number', () => {
  expect(identifier.parse('9007199254740993')).toBe('9007199254740993');
  expect(identifier.parse(123)).toBe('123');
  expect(identifier.safeParse(2 ** 53 + 2).success).toBe(false);
});

test('no schema of an answer takes a number in one form only', () => {
  const root = new URL('../../apps/server/src/integrations/exchanges/', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /^(bybit|binance|okx|kucoin|hyperliquid)\/.*\.ts$/.test(file) && !file.includes('.test.'),
  );
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    const text = readFileSync(new URL(file, root), 'utf8').replace(
      /const placeSchema = [\s\S]*?\n\}\);\n|const placeSchema = .*\n/g,
      '',
    );
    expect(text, file).not.toMatch(/z\.(number|coerce|bigint)\b/);
    // Whole numbers and literals only behind a number that was read in either form.
    for (const line of text.split('\n').filter((each) => /z\.(int\(|literal\(\d)/.test(each)))
      expect(line, file).toContain('plainNumber.pipe(');
  }
});
