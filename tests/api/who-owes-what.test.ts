import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAccount } from '../../apps/server/src/features/exchanges/reading/read-account.ts';
import { claimAccounts } from '../../apps/server/src/features/exchanges/reading/reading.store.ts';
import {
  type ClosedPosition,
  type ClosedPositionsPage,
  type ExchangeGateway,
  GatewayError,
} from '../../apps/server/src/integrations/exchanges/gateway.ts';
import { beginTransaction } from '../../apps/server/src/platform/db/begin.ts';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { openReadingGateway, readingDeps } from '../support/world/account-reading.ts';
import { linkAllProviders } from '../support/world/communities.ts';
import { runInvoicing } from '../support/world/invoicing.ts';
import { addPool } from '../support/world/pools.ts';
import { type Owner, ownerOf } from '../support/world/rows.ts';
import { addBareTrader } from '../support/world/traders.ts';
import { startVenues, type TestVenues } from '../support/world/venues.ts';

// Who is invoiced for what closes at an exchange account: whoever held it then, once, however it moves afterwards.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WORKER = { kind: 'system', id: 'test', name: 'test' } as const;

let venues: TestVenues;
let product: TestApp;
let owner: Owner;
let token: string;
let gateway: ExchangeGateway;
/** What closed at the account, as the exchange lists it from then on. */
let closes: ClosedPosition[];
/** What the exchange answers instead of its list. */
let problem: GatewayError | null;
/** What the exchange answers instead of the equity. */
let equityProblem: GatewayError | null;
/** What each page of closes says besides its rows. */
let pageSays: Partial<ClosedPositionsPage>;
let now = Date.now();

beforeAll(async () => {
  const seededAt = new Date();
  venues = await startVenues({ epoch: seededAt, traders: 20 });
  product = await createTestApp({ scale: 0.05, seededAt, env: venues.env });
  owner = ownerOf(product.ownerUrl);
  token = await product.signIn('super');
  await linkAllProviders(owner);
  await runInvoicing(product);
});
afterAll(async () => {
  await product?.close();
  await venues?.close();
});
beforeEach(() => {
  closes = [];
  problem = null;
  equityProblem = null;
  pageSays = {};
  now = Date.now();
  gateway = openReadingGateway(product, venues.now);
});
afterEach(async () => {
  const mine = 'SELECT id FROM exchange_account WHERE acc_uid = $1';
  await owner(`DELETE FROM exchange_credential WHERE account_id IN (${mine})`, [spare().accUid]);
  await owner(
    `UPDATE exchange_account SET removed_at = greatest(now(), connected_at)
     WHERE removed_at IS NULL AND acc_uid = $1`,
    [spare().accUid],
  );
  await gateway.close();
});

const spare = () => venues.spare('bybit', 'plain');
const bybitProviders = async () => {
  const rows = await owner<{ id: string }>(
    "SELECT id FROM provider WHERE 'bybit' = ANY (supported_exchanges) ORDER BY id LIMIT 2",
  );
  return rows.map(({ id }) => id) as [string, string];
};
/** Connects the account as a person does, and is a moment later. */
async function connect(traderId: string, provider_id: string) {
  const { apiKey, secretKey } = venues.accounts.credentialsOf(spare()) as {
    apiKey: string;
    secretKey: string;
  };
  const body = { exchange: 'bybit', provider_id, apiKey, secretKey };
  const answer = await send(
    product.app,
    'POST /api/traders/{id}/exchange',
    { params: { id: traderId }, body },
    token,
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
    product.app,
    'DELETE /api/traders/{id}/exchange',
    { params: { id: traderId }, body },
    token,
  );
  expect(answer.statusCode, answer.body).toBe(200);
}
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 20));
/** The exchange lists a close of now. */
function close(pnl: string, venueId = `close-${closes.length}-${Date.now()}`) {
  closes.push({
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
  now = Math.max(now, Date.now());
  const listed: ExchangeGateway = {
    ...gateway,
    closedPositions: async (_account, { sinceMs, untilMs }) => {
      if (problem) throw problem;
      const items = closes.filter(({ closedAt }) => closedAt >= sinceMs && closedAt <= untilMs);
      return { items, nextCursor: null, coverageFrom: 0, ...pageSays };
    },
    equity: async (...asked) => {
      if (equityProblem) throw equityProblem;
      return gateway.equity(...asked);
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
  const due = await product.db.write({ kind: 'all' }, WORKER, (tx) =>
    claimAccounts(tx, { exchange: 'bybit', limit: 10, leaseMs: 20_000 }),
  );
  for (const account of due)
    await readAccount(
      readingDeps(product, listed, () => now),
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
  await runInvoicing(product);
};

describe('one close is invoiced once', () => {
  test('however its account moves between providers and back', async () => {
    const [a, b] = await bybitProviders();
    const trader = await addBareTrader(owner);
    await connect(trader, a);
    await readAndInvoice();
    await remove(trader);
    await readAndInvoice();
    expect((await connect(trader, b)).statusCode).toBe(201);
    close('100');
    await readAndInvoice();
    await remove(trader);
    await readAndInvoice();
    expect((await connect(trader, a)).statusCode).toBe(201);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toEqual([{ trader_id: trader, provider_id: b, amount: '50' }]);
  });

  test('and owed by the trader that held the account, not by those before and after', async () => {
    const [a] = await bybitProviders();
    const [first, second] = [await addBareTrader(owner), await addBareTrader(owner)];
    await connect(first, a);
    await remove(first);
    expect((await connect(second, a)).statusCode).toBe(201);
    close('100');
    // Nobody read it meanwhile: the last read of the second trader and the first of the first one meet it together.
    await remove(second);
    expect((await connect(first, a)).statusCode).toBe(201);
    await readAndInvoice();
    await readAndInvoice();
    expect(await invoicesOf(first, second)).toEqual([{ trader_id: second, provider_id: a, amount: '50' }]);
  });

  test('by a pool or by a trader: connecting what the other holds is refused', async () => {
    const [provider] = await bybitProviders();
    const [community] = await owner<{ id: string }>(
      `SELECT id FROM community c WHERE NOT EXISTS (SELECT FROM pooled_account p WHERE p.community_id = c.id) LIMIT 1`,
    );
    const pool = await addPool(owner, community?.id ?? '');
    const setUid = (uid: string | null) =>
      owner('UPDATE pooled_account SET bybit_uid = $2, created_at = now() WHERE id = $1', [pool, uid]);
    const trader = await addBareTrader(owner);
    await connect(trader, provider);
    await expect(setUid(spare().accUid)).rejects.toThrow(/account_holder_alone/);
    close('100');
    await remove(trader);
    await setUid(spare().accUid);
    const answer = await connect(trader, provider);
    expect([answer.statusCode, answer.json().error]).toEqual([409, 'exchange_account_taken']);
    close('70'); // of the pool
    const toggle = async (isActive: boolean) => {
      const body = { is_active: isActive };
      const params = { id: pool };
      const { statusCode, ...on } = await send(
        product.app,
        'PUT /api/pooled-accounts/{id}',
        { params, body },
        token,
      );
      return [statusCode, on.json().error];
    };
    // Switched off, it holds nothing, and cannot be switched on while the trader holds the account.
    expect(await toggle(false)).toEqual([200, undefined]);
    expect((await connect(trader, provider)).statusCode).toBe(201);
    expect(await toggle(true)).toEqual([409, 'exchange_account_taken']);
    await remove(trader);
    expect(await toggle(true)).toEqual([200, undefined]);
    close('80'); // of the pool
    await setUid(null);
    await connect(trader, provider);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '50' }]);
  });
});

describe('what closed before an account is removed', () => {
  let trader: string;
  let provider: string;
  beforeEach(async () => {
    [provider] = await bybitProviders();
    trader = await addBareTrader(owner);
    await connect(trader, provider);
    await read();
  });
  const unread = () =>
    owner<{ seconds: number }>(
      `SELECT extract(epoch FROM r.unread_until - r.unread_since)::float AS seconds FROM account_reading r
       JOIN exchange_account a ON a.id = r.account_id WHERE a.trader_id = $1 AND r.unread_until IS NOT NULL`,
      [trader],
    );

  test('is read once more and invoiced, and then the key is gone', async () => {
    close('400');
    await remove(trader);
    expect(await keysKept()).toBe(2);
    close('30'); // after the removal, at nobody's account
    const page = await send(
      product.app,
      'GET /api/traders/{id}',
      { params: { id: trader }, query: { include_exchanges: 'true' } },
      token,
    );
    expect(page.json().data.exchanges).toEqual([]);
    const body = { exchange: 'bybit', acc_uid: spare().accUid, field: 'api_key' };
    expect(
      (
        await send(
          product.app,
          'POST /api/traders/{id}/exchange/reveal',
          { params: { id: trader }, body },
          token,
        )
      ).statusCode,
    ).toBe(404);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '200', provider_id: provider }]);
    now += HOUR_MS + 1_000;
    await readAndInvoice();
    expect(await invoicesOf(trader)).toHaveLength(1);
    expect([await keysKept(), await unread()]).toEqual([0, []]);
  });

  test('is read again an hour later, when the exchange has listed late closes', async () => {
    close('400');
    const late = closes.pop() as ClosedPosition;
    await remove(trader);
    await readAndInvoice();
    expect([await keysKept(), await invoicesOf(trader), await unread()]).toEqual([2, [], []]);
    const [due] = await owner<{ minutes: number }>(
      `SELECT extract(epoch FROM r.due_at - now())::float / 60 AS minutes FROM account_reading r
       JOIN exchange_account a ON a.id = r.account_id WHERE a.trader_id = $1`,
      [trader],
    );
    expect(due?.minutes).toBeGreaterThan(55);
    expect(due?.minutes).toBeLessThanOrEqual(60);
    closes.push(late);
    now += HOUR_MS + 1_000;
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '200', provider_id: provider }]);
    expect([await keysKept(), await unread()]).toEqual([0, []]);
  });

  test('is noted as unread for the last hour when the key is refused between both reads', async () => {
    close('400');
    await remove(trader);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toHaveLength(1);
    problem = new GatewayError('invalid_credentials');
    now += HOUR_MS + 1_000;
    await read();
    expect(await keysKept()).toBe(0);
    expect(await unread()).toHaveLength(1);
    expect((await unread())[0]?.seconds).toBeLessThanOrEqual(HOUR_MS / 1_000);
  });

  test('is found by ordinary reads when the account comes back before the second read', async () => {
    close('400');
    const late = closes.pop() as ClosedPosition;
    await remove(trader);
    await read();
    expect((await connect(trader, provider)).statusCode).toBe(201);
    closes.push(late);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '200' }]);
    expect([await keysKept(), await unread()]).toEqual([2, []]);
  });

  test('is noted as unread when the account is in a mode whose history is empty', async () => {
    await remove(trader);
    equityProblem = new GatewayError('portfolio_margin');
    now += HOUR_MS + 1_000;
    await read();
    expect([await keysKept(), (await unread()).length]).toEqual([0, 1]);
  });

  test.each([
    ['has forgotten', { coverageFrom: Number.MAX_SAFE_INTEGER }],
    ['breaks off', { endedEarly: true }],
  ] as const)('is noted as unread when the list of the exchange %s', async (_name, says) => {
    await remove(trader);
    pageSays = says;
    await read();
    expect(await unread()).toHaveLength(1);
    now += HOUR_MS + 1_000;
    await read();
    expect([await keysKept(), (await unread()).length]).toEqual([0, 1]);
  });

  test('is read after all when a list breaks off once', async () => {
    await remove(trader);
    pageSays = { endedEarly: true };
    await read();
    expect(await unread()).toHaveLength(1);
    pageSays = {};
    now += HOUR_MS + 1_000;
    await read();
    expect([await keysKept(), await unread()]).toEqual([0, []]);
  });

  test('waits while the exchange does not answer, a day at most', async () => {
    close('400');
    await remove(trader);
    problem = new GatewayError('venue_unavailable');
    await read();
    expect([await keysKept(), await unread()]).toEqual([2, []]);
    now += DAY_MS + 1_000;
    await read();
    expect(await keysKept()).toBe(0);
    expect(await unread()).toHaveLength(1);
    problem = null;
    await readAndInvoice();
    expect(await invoicesOf(trader)).toEqual([]);
  });

  test('is noted as unread when the exchange refuses the key', async () => {
    await remove(trader);
    problem = new GatewayError('invalid_credentials');
    await read();
    expect(await keysKept()).toBe(0);
    expect((await unread())[0]?.seconds).toBeGreaterThan(0);
  });

  test('is noted as unread when the account is removed at once, and read after all when it comes back', async () => {
    close('400');
    await remove(trader, true);
    expect(await keysKept()).toBe(0);
    expect(await unread()).toHaveLength(1);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toEqual([]);
    expect((await connect(trader, provider)).statusCode).toBe(201);
    expect(await unread()).toEqual([]);
    await readAndInvoice();
    expect(await invoicesOf(trader)).toMatchObject([{ amount: '200' }]);
  });
});

test('a profit that the exchange corrects after it was invoiced stays invoiced, with the correction beside it', async () => {
  const [a] = await bybitProviders();
  const trader = await addBareTrader(owner);
  await connect(trader, a);
  close('100', 'corrected');
  await readAndInvoice();
  const stored = () =>
    owner(
      `SELECT trim_scale(closed_pnl)::text AS pnl, trim_scale(corrected_pnl)::text AS corrected FROM closed_position
       WHERE trader_id = $1`,
      [trader],
    );
  (closes[0] as ClosedPosition).closedPnl = '99.995';
  await read();
  expect(await stored()).toEqual([{ pnl: '100', corrected: null }]);
  (closes[0] as ClosedPosition).closedPnl = '40';
  await readAndInvoice();
  expect(await stored()).toEqual([{ pnl: '100', corrected: '40' }]);
  expect(await invoicesOf(trader)).toMatchObject([{ amount: '50' }]);
  (closes[0] as ClosedPosition).closedPnl = '100';
  await read();
  expect(await stored()).toEqual([{ pnl: '100', corrected: null }]);
});

test('super admins see what differs until they leave it as it is, and again once it changes', async () => {
  const [a, b] = await bybitProviders();
  const trader = await addBareTrader(owner);
  const list = async (as = token) => {
    const answer = await send(product.app, 'GET /api/invoices/differences', { query: { limit: '100' } }, as);
    expect(answer.statusCode, answer.body).toBe(200);
    return (
      answer.json().data as { kind: string; id: string; seen: string; trader: { id: string } }[]
    ).filter((row) => row.trader.id === trader);
  };
  const dismiss = async ({ kind, id, seen }: { kind: string; id: string; seen: string }, as = token) => {
    const call = { body: { kind, id, seen } } as never;
    return (await send(product.app, 'POST /api/invoices/differences/dismiss', call, as)).statusCode;
  };
  await connect(trader, a);
  close('100', 'listed');
  await readAndInvoice();
  expect(await list()).toEqual([]);
  const [corrected] = closes as [ClosedPosition];
  corrected.closedPnl = '40';
  await read();
  await remove(trader, true);
  // As a version before left it: the same close, invoiced under another account.
  await owner(
    `WITH account AS (
       INSERT INTO exchange_account (trader_id, provider_id, exchange, acc_uid, removed_at)
       VALUES ($1, $2, 'bybit', $3, now()) RETURNING id)
     INSERT INTO closed_position (account_id, trader_id, provider_id, venue_id, symbol, side, closed_pnl, closed_at,
       invoice_id, double_of)
     SELECT account.id, $1, $2, 'listed', 'BTCUSDT', 'long', 100, now(), i.id, p.id
     FROM account, invoice i, closed_position p WHERE i.trader_id = $1 AND p.trader_id = $1`,
    [trader, b, spare().accUid],
  );
  const found = await list();
  expect(new Set(found.map(({ kind }) => kind))).toEqual(
    new Set(['corrected_close', 'doubled_close', 'unread_closes']),
  );
  expect(found).toContainEqual(
    expect.objectContaining({
      kind: 'corrected_close',
      invoiced_profit: '100',
      reported_profit: '40',
      amount: '30',
    }),
  );
  expect(found).toContainEqual(expect.objectContaining({ kind: 'doubled_close', amount: '50' }));
  expect(found).toContainEqual(expect.objectContaining({ kind: 'unread_closes', amount: null }));
  const staff = await product.signIn('staff');
  expect(await dismiss(found[0] as (typeof found)[0], staff)).toBe(403);
  const [first, second] = await Promise.all([
    dismiss(found[0] as (typeof found)[0]),
    dismiss(found[0] as (typeof found)[0]),
  ]);
  expect([first, second].sort()).toEqual([200, expect.toBeOneOf([200, 404])]);
  for (const row of found.slice(1)) expect(await dismiss(row)).toBe(200);
  expect(await list()).toEqual([]);
  expect(
    (await owner('SELECT FROM difference_decision WHERE subject_id = ANY ($1)', [found.map(({ id }) => id)]))
      .length,
  ).toBe(3);

  await connect(trader, a);
  corrected.closedPnl = '55';
  await read();
  expect(await list()).toMatchObject([{ kind: 'corrected_close', seen: '55', amount: '22.5' }]);
});

test('what an exchange corrected is deducted from the next invoices until it is used up', async () => {
  const [a] = await bybitProviders();
  const trader = await addBareTrader(owner);
  const mine = async () => {
    const query = { query: { limit: '100' } };
    const answer = await send(product.app, 'GET /api/invoices/differences', query, token);
    expect(answer.statusCode, answer.body).toBe(200);
    type Row = { kind: string; id: string; seen: string; trader: { id: string } };
    return (answer.json().data as Row[]).filter((row) => row.trader.id === trader);
  };
  const open = async () => {
    const query = { query: { limit: '100' } };
    const answer = await send(product.app, 'GET /api/invoices/deductions', query, token);
    expect(answer.statusCode, answer.body).toBe(200);
    type Row = { id: string; left: string; trader: { id: string } };
    return (answer.json().data as Row[]).filter((row) => row.trader.id === trader);
  };
  const decide = async (what: 'deduct' | 'dismiss', { kind, id, seen }: Record<string, string>) => {
    const call = { body: { kind, id, seen } } as never;
    return (await send(product.app, `POST /api/invoices/differences/${what}`, call, token)).statusCode;
  };
  await connect(trader, a);
  close('100', 'deducted');
  await readAndInvoice();
  (closes[0] as ClosedPosition).closedPnl = '40';
  await read();
  const [found] = await mine();
  expect(found).toMatchObject({ amount: '30', deducted: null });
  // Who owes nothing for the invoice, because it was given up, was charged nothing by it.
  const giveUp = (isArchived: boolean) =>
    owner('UPDATE invoice SET is_archived = $2 WHERE trader_id = $1', [trader, isArchived]);
  await giveUp(true);
  expect(await mine()).toMatchObject([{ amount: '0' }]);
  expect(await decide('deduct', found as never)).toBe(409);
  await giveUp(false);
  expect(await decide('deduct', { ...(found as never as Record<string, string>), seen: '41' })).toBe(404);
  const decided = await Promise.all([
    decide('deduct', found as never),
    decide('deduct', found as never),
    decide('dismiss', found as never),
  ]);
  expect(decided.filter((status) => status === 200)).toHaveLength(1);
  if (decided[2] === 200) {
    // Leaving it as it is was first: as if it had not been decided.
    await owner('DELETE FROM difference_decision WHERE subject_id = $1', [found?.id]);
    await owner('UPDATE closed_position SET is_correction_decided = false WHERE id = $1', [found?.id]);
    expect(await decide('deduct', found as never)).toBe(200);
  }
  expect(await mine()).toEqual([]);
  expect(await open()).toMatchObject([
    { amount: '30', used: '0', left: '30', decided_by: expect.any(String) },
  ]);

  // 20 is less than the deduction: it waits, and is invoiced with what comes later.
  close('40', 'waits');
  await readAndInvoice();
  expect(await invoicesOf(trader)).toMatchObject([{ amount: '50' }]);
  close('60', 'later');
  await readAndInvoice();
  expect(await invoicesOf(trader)).toMatchObject([{ amount: '50' }, { amount: '20' }]);
  expect(await open()).toEqual([]);
  const [invoice] = await owner<{ id: string; amount: string; parts: string; receivable: string }>(
    `SELECT i.id, i.amount_units::text AS amount,
       (SELECT sum((p ->> 'units')::numeric)::text FROM jsonb_array_elements(i.split) p) AS parts,
       (SELECT b.posted::text FROM ledger_account l JOIN ledger_balance b ON b.account_id = l.id
        WHERE l.kind = 'receivable' AND l.owner_id = i.id) AS receivable
     FROM invoice i WHERE i.trader_id = $1 ORDER BY i.created_at DESC LIMIT 1`,
    [trader],
  );
  const units = (20n * 10n ** 18n).toString();
  expect(invoice).toMatchObject({ amount: units, parts: units, receivable: units });
  const detail = await send(
    product.app,
    'GET /api/invoices/{id}',
    { params: { id: invoice?.id ?? '' } },
    token,
  );
  expect(detail.json().data).toMatchObject({
    amount: '20',
    deductions: [{ amount: '30', invoice_id: expect.any(String), symbol: 'BTCUSDT' }],
  });
  const [message] = await owner<{ text: string }>(
    `SELECT text FROM message WHERE invoice_id = $1 AND kind = 'invoice_created'`,
    [invoice?.id],
  );
  expect(message?.text).toContain('Deducted already');

  // A cancelled invoice gives it back, and a further correction is deducted as far as it goes beyond.
  await owner(`UPDATE invoice SET status = 'cancelled' WHERE id = $1`, [invoice?.id]);
  expect(await open()).toMatchObject([{ amount: '30', used: '0', left: '30' }]);
  await owner(`UPDATE invoice SET status = 'pending' WHERE id = $1`, [invoice?.id]);
  (closes[0] as ClosedPosition).closedPnl = '20';
  await read();
  const [further] = await mine();
  expect(further).toMatchObject({ amount: '10', deducted: '30' });
  expect(await decide('deduct', further as never)).toBe(200);
  expect(await open()).toMatchObject([{ amount: '10', left: '10' }]);

  // The exchange takes its correction back: the deduction stays in its list, until a person ends the rest, once.
  (closes[0] as ClosedPosition).closedPnl = '100';
  await read();
  expect(await mine()).toEqual([]);
  const [rest] = await open();
  expect(rest).toMatchObject({ amount: '10', used: '0', left: '10' });
  const end = async (left: string, as = token) => {
    const call = { params: { id: rest?.id ?? '' }, body: { left } };
    return (await send(product.app, 'POST /api/invoices/deductions/{id}/end', call, as)).statusCode;
  };
  expect(await end('10', await product.signIn('staff'))).toBe(403);
  expect(await end('9')).toBe(409);
  expect((await Promise.all([end('10'), end('10')])).sort()).toEqual([200, 409]);
  expect(await open()).toEqual([]);
  const audited = await owner(
    `SELECT FROM audit_entry WHERE action = 'invoice.deduction_ended' AND target_id = $1`,
    [trader],
  );
  expect(audited).toHaveLength(1);
  close('10', 'after');
  await readAndInvoice();
  expect((await invoicesOf(trader)).at(-1)).toMatchObject({ amount: '5' });
  // What was ended is deducted again where the exchange corrects again.
  (closes[0] as ClosedPosition).closedPnl = '25';
  await read();
  const [again] = await mine();
  expect(again).toMatchObject({ amount: '7.5', deducted: '30' });
  expect(await decide('deduct', again as never)).toBe(200);
  expect(await open()).toMatchObject([{ amount: '7.5', left: '7.5' }]);
});

test('the list of open differences reads no decided ones', async () => {
  const plan = await owner<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT FROM closed_position p WHERE p.corrected_pnl IS NOT NULL AND NOT p.is_correction_decided`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('closed_position_open_difference');
});

test('a deduction is open as long as something of it is left', async () => {
  const differing = await owner(
    'SELECT FROM invoice_deduction d WHERE d.is_open <> (app.deduction_left(d) > 0)',
  );
  expect(differing).toEqual([]);
  const states = await owner('SELECT DISTINCT is_open FROM invoice_deduction ORDER BY is_open');
  expect(states).toEqual([{ is_open: false }, { is_open: true }]);
});

/** One statement with the login of the API, which is taken back. */
async function asApi(text: string, values: readonly string[]) {
  const client = await product.db.pool.connect();
  try {
    await beginTransaction(client, 'BEGIN', { scope: { kind: 'all' } });
    await client.query(text, [...values]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('the login of the API deducts no more than an exchange corrected', async () => {
  const [a] = await bybitProviders();
  const trader = await addBareTrader(owner);
  await connect(trader, a);
  close('100', 'bounded');
  await readAndInvoice();
  (closes[0] as ClosedPosition).closedPnl = '40';
  await read();
  const attempt = (units: string) =>
    asApi(
      `INSERT INTO invoice_deduction (kind, subject_id, seen, trader_id, community_id, provider_id, invoice_id,
            commission_rate, amount_units, split, decided_by, decided_by_id)
          SELECT 'corrected_close', p.id, '40', i.trader_id, i.community_id, i.provider_id, i.id, i.commission_rate,
            $1::numeric, jsonb_build_array(jsonb_build_object('recipient_type', 'mark', 'units', $1::text)),
            'x', 'x'
          FROM closed_position p JOIN invoice i ON i.id = p.invoice_id WHERE p.trader_id = $2`,
      [units, trader],
    );
  await expect(attempt((30n * 10n ** 18n + 1n).toString())).rejects.toThrow(/exchange corrected/);
  await attempt((30n * 10n ** 18n).toString());
});
