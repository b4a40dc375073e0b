import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { readAccount } from '../../../apps/server/src/features/exchanges/reading/read-account.ts';
import { claimAccounts } from '../../../apps/server/src/features/exchanges/reading/reading.store.ts';
import type {
  ClosedPosition,
  ClosedPositionsPage,
  ExchangeGateway,
  GatewayError,
} from '../../../apps/server/src/integrations/exchanges/gateway.ts';
import { send } from '../send.ts';
import { createTestApp, type TestApp } from '../test-app.ts';
import { openReadingGateway, readingDeps } from './account-reading.ts';
import { linkAllProviders } from './communities.ts';
import { runInvoicing } from './invoicing.ts';
import { ownerOf } from './rows.ts';
import { startVenues, type TestVenues } from './venues.ts';

const WORKER = { kind: 'system', id: 'test', name: 'test' } as const;

interface ClosingWorld {
  venues: TestVenues;
  product: TestApp;
  token: string;
  gateway: ExchangeGateway;
  /** What closed at the account, as the exchange lists it from then on. */
  closes: ClosedPosition[];
  /** What the exchange answers instead of its list. */
  problem: GatewayError | null;
  /** What the exchange answers instead of the equity. */
  equityProblem: GatewayError | null;
  /** What each page of closes says besides its rows. */
  pageSays: Partial<ClosedPositionsPage>;
  now: number;
}

/** An account at the simulated bybit that moves between the traders of a file, and what a test has it answer. */
export function useClosingWorld() {
  const world = {} as ClosingWorld;
  const owner: ReturnType<typeof ownerOf> = (...statement) => ownerOf(world.product.ownerUrl)(...statement);

  beforeAll(async () => {
    const seededAt = new Date();
    world.venues = await startVenues({ epoch: seededAt, traders: 20 });
    world.product = await createTestApp({ scale: 0.05, seededAt, env: world.venues.env });
    world.token = await world.product.signIn('super');
    await linkAllProviders(owner);
    await runInvoicing(world.product);
  });
  afterAll(async () => {
    await world.product?.close();
    await world.venues?.close();
  });
  beforeEach(() => {
    world.closes = [];
    world.problem = null;
    world.equityProblem = null;
    world.pageSays = {};
    world.now = Date.now();
    world.gateway = openReadingGateway(world.product, world.venues.now);
  });
  afterEach(async () => {
    const mine = 'SELECT id FROM exchange_account WHERE acc_uid = $1';
    await owner(`DELETE FROM exchange_credential WHERE account_id IN (${mine})`, [spare().accUid]);
    await owner(
      `UPDATE exchange_account SET removed_at = greatest(now(), connected_at)
       WHERE removed_at IS NULL AND acc_uid = $1`,
      [spare().accUid],
    );
    await world.gateway.close();
  });

  const spare = () => world.venues.spare('bybit', 'plain');
  const bybitProviders = async () => {
    const rows = await owner<{ id: string }>(
      "SELECT id FROM provider WHERE 'bybit' = ANY (supported_exchanges) ORDER BY id LIMIT 2",
    );
    return rows.map(({ id }) => id) as [string, string];
  };
  /** Connects the account as a person does, and is a moment later. */
  async function connect(traderId: string, provider_id: string) {
    const { apiKey, secretKey } = world.venues.accounts.credentialsOf(spare()) as {
      apiKey: string;
      secretKey: string;
    };
    const body = { exchange: 'bybit', provider_id, apiKey, secretKey };
    const answer = await send(
      world.product.app,
      'POST /api/traders/{id}/exchange',
      { params: { id: traderId }, body },
      world.token,
    );
    await aMoment();
    return answer;
  }
  async function remove(traderId: string, without_last_read = false) {
    await aMoment();
    const body = {
      exchange: 'bybit',
      acc_uid: spare().accUid,
      ...(without_last_read && { without_last_read }),
    };
    const answer = await send(
      world.product.app,
      'DELETE /api/traders/{id}/exchange',
      { params: { id: traderId }, body },
      world.token,
    );
    expect(answer.statusCode, answer.body).toBe(200);
  }
  const aMoment = () => new Promise((resolve) => setTimeout(resolve, 20));
  /** The exchange lists a close of now. */
  function close(pnl: string, venueId = `close-${world.closes.length}-${Date.now()}`) {
    world.closes.push({
      venueId,
      symbol: 'BTCUSDT',
      side: 'long',
      entryPrice: '60000',
      exitPrice: '61000',
      leverage: '5',
      contracts: '0.1',
      closedPnl: pnl,
      feesIncluded: true,
      openedAt: null,
      closedAt: Date.now(),
    });
  }

  /** A worker reads every row of the account that is due, removed ones too, until nothing is left to read. */
  async function read() {
    world.now = Math.max(world.now, Date.now());
    const listed: ExchangeGateway = {
      ...world.gateway,
      closedPositions: async (_account, { sinceMs, untilMs }) => {
        if (world.problem) throw world.problem;
        const items = world.closes.filter(({ closedAt }) => closedAt >= sinceMs && closedAt <= untilMs);
        return { items, nextCursor: null, coverageFrom: 0, ...world.pageSays };
      },
      equity: async (...asked) => {
        if (world.equityProblem) throw world.equityProblem;
        return world.gateway.equity(...asked);
      },
      forget: () => undefined,
    };
    await owner(
      `UPDATE account_reading r SET due_at = CASE
           WHEN a.acc_uid <> $1 THEN now() + interval '1 day'
           WHEN a.removed_at IS NOT NULL AND r.last_read_until IS NULL THEN 'infinity' ELSE now() END,
         closed_read_at = NULL, leased_until = NULL
       FROM exchange_account a WHERE a.id = r.account_id AND a.exchange = 'bybit'`,
      [spare().accUid],
    );
    const due = await world.product.db.write({ kind: 'all' }, WORKER, (tx) =>
      claimAccounts(tx, { exchange: 'bybit', limit: 10, leaseMs: 20_000 }),
    );
    for (const account of due)
      await readAccount(
        readingDeps(world.product, listed, () => world.now),
        account,
      );
  }
  const invoicesOf = async (...traderIds: string[]) =>
    owner<{ trader_id: string; provider_id: string; amount: string }>(
      `SELECT trader_id, provider_id, trim_scale(amount_units / 1e18)::text AS amount FROM invoice
       WHERE trader_id = ANY ($1) ORDER BY created_at`,
      [traderIds],
    );
  const keysKept = async () =>
    (
      await owner(
        'SELECT FROM exchange_credential c JOIN exchange_account a ON a.id = c.account_id WHERE a.acc_uid = $1',
        [spare().accUid],
      )
    ).length;
  const readAndInvoice = async () => {
    await read();
    await runInvoicing(world.product);
  };

  return Object.assign(world, {
    owner,
    spare,
    bybitProviders,
    connect,
    remove,
    close,
    read,
    invoicesOf,
    keysKept,
    readAndInvoice,
  });
}
