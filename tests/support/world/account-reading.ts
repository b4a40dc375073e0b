import type { ReadingDeps } from '../../../apps/server/src/features/exchanges/reading/read-account.ts';
import { createExchangeGateway } from '../../../apps/server/src/integrations/exchanges/create-gateway.ts';
import type { ExchangeGateway } from '../../../apps/server/src/integrations/exchanges/gateway.ts';
import { backgroundSettings } from '../../../apps/server/src/wiring/exchange-settings.ts';
import { KEYRING, type TestApp } from '../test-app.ts';

/** Far above the exchanges' limits: tests check the results of reading, not its speed. */
const SHARE = 50;

/** A worker's gateway to the exchanges of a test. */
export function openReadingGateway({ config }: TestApp, now: () => number): ExchangeGateway {
  const exchanges = { ...config.exchanges, workerShare: SHARE };
  return createExchangeGateway(backgroundSettings({ exchanges }), { now });
}

/** The dependencies of a reader of accounts, on the exchanges' clock. */
export function readingDeps(product: TestApp, gateway: ExchangeGateway, now: () => number): ReadingDeps {
  const { db, log } = product;
  return { db, gateway, keyring: KEYRING, log, now, everyMs: 480_000, leaseMs: 20_000 };
}
