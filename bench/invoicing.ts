import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { signIn, startApi, startWorker } from './support/product.ts';
import type { Report } from './support/report.ts';

const POSITIONS_OF_A_TRADER = 10;
const GROUP = 1_000;
const ROUNDS = 5;
const REFERENCE = 'BENCH-GROUP';

/** Runs over closed positions, ten per trader, and marking a group of a thousand invoices. */
export async function benchInvoicing(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const small = await measureRun(ownerUrl, dataDir, 10_000, report);
  const large = await measureRun(ownerUrl, dataDir, 100_000, report);
  report.row('a position of the large run, against one of the small', `${(large / small).toFixed(2)}x`);
}

/** @returns milliseconds per position */
async function measureRun(
  ownerUrl: string,
  dataDir: string,
  positions: number,
  report: Report,
): Promise<number> {
  const traders = positions / POSITIONS_OF_A_TRADER;
  const databaseUrl = await benchDatabase(ownerUrl, Math.round(traders * 1.5));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SELECT set_config('copydesk.scope', 'all', false)");
  // Another benchmark covers reading the exchanges.
  await client.query("UPDATE account_reading SET due_at = now() + interval '1 day'");
  await addPositions(client, traders);
  const api = await startApi(databaseUrl, dataDir);
  const worker = await startWorker(databaseUrl, dataDir);
  try {
    const token = await signIn(api.url, 'super');
    const call = (method: string, path: string, body?: object) =>
      fetch(`${api.url}/api/invoices/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).then((answer) => answer.json() as Promise<{ data: Record<string, unknown> }>);

    await sleep(3_000); // the worker has started
    await measureDraft(call, traders, report);
    const startedAt = performance.now();
    let { data: run } = await call('POST', 'runs', {});
    while (run.state === 'running') {
      await sleep(200);
      ({ data: run } = await call('GET', `runs/${run.id}`));
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    report.row(
      `invoicing run over ${Number(run.positions).toLocaleString('en-US')} positions of ${Number(run.traders).toLocaleString('en-US')} traders`,
      `${seconds.toFixed(1)} s, ${run.invoices} invoices, worker ${worker.memory().peakMb.toFixed(0)} MB at most`,
      positions === 100_000 ? '< 60 s, < 400 MB' : '',
    );
    if (positions === 100_000) await measureGroup(client, call, report);
    return (seconds * 1_000) / positions;
  } finally {
    await Promise.all([api.stop(), worker.stop(), client.end()]);
  }
}

type Call = (method: string, path: string, body?: object) => Promise<{ data: Record<string, unknown> }>;

/** Preparing a draft of the same run, reading its traders, and leaving one out. */
async function measureDraft(call: Call, traders: number, report: Report): Promise<void> {
  const startedAt = performance.now();
  let { data: run } = await call('POST', 'runs', { draft: true });
  while (run.state === 'preparing') {
    await sleep(200);
    ({ data: run } = await call('GET', `runs/${run.id}`));
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const of = `a draft of ${traders.toLocaleString('en-US')} traders`;
  report.row(of, `${seconds} s, ${run.invoices} invoices`, 'less than the run');
  const { data: lines } = await call('GET', `runs/${run.id}/lines?limit=50`);
  const [line] = lines as unknown as { trader_id: string }[];
  const acts = {
    'its first page': () => call('GET', `runs/${run.id}/lines?limit=50`),
    'its last page': () => call('GET', `runs/${run.id}/lines?limit=50&offset=${traders - 50}`),
    'those without a Telegram ID': () => call('GET', `runs/${run.id}/lines?outcome=invoice&unreachable=true`),
    'a search in it': () => call('GET', `runs/${run.id}/lines?search=kait-1`),
    'a trader left out': (nth: number) =>
      call('PATCH', `runs/${run.id}/lines`, { trader_ids: [line?.trader_id], excluded: nth % 2 === 0 }),
  };
  for (const [what, act] of Object.entries(acts)) {
    const times: number[] = [];
    for (let nth = 0; nth < 20; nth++) {
      const from = performance.now();
      await act(nth);
      times.push(performance.now() - from);
    }
    const sorted = times.toSorted((a, b) => a - b);
    report.row(
      `${of}: ${what}`,
      `median ${sorted[10]?.toFixed(0)}, p95 ${sorted[18]?.toFixed(0)} ms`,
      'p95 ≤ 60 ms',
    );
  }
  await call('POST', `runs/${run.id}/discard`);
}

async function measureGroup(client: pg.Client, call: Call, report: Report): Promise<void> {
  await addGroup(client);
  const times: Record<'first' | 'paid' | 'unpaid', number[]> = { first: [], paid: [], unpaid: [] };
  const mark = async (is_paid: boolean, into: number[]) => {
    const startedAt = performance.now();
    const { data } = await call('PATCH', 'admin/status', {
      groups: { reference_numbers: [REFERENCE] },
      is_paid,
      expected_count: GROUP,
    });
    into.push(performance.now() - startedAt);
    if (data.changed !== GROUP) throw new Error(`${JSON.stringify(data)} instead of ${GROUP} changes`);
  };
  for (let round = 0; round < ROUNDS; round++) {
    await mark(true, round === 0 ? times.first : times.paid);
    await mark(false, times.unpaid);
  }
  const figures = (list: number[]) => {
    const sorted = [...list].sort((a, b) => a - b);
    return `median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)}, slowest ${sorted.at(-1)?.toFixed(0)} ms`;
  };
  const what = `a group of ${GROUP.toLocaleString('en-US')} invoices marked as`;
  report.row(`${what} paid, imported and new to the ledger`, figures(times.first));
  report.row(`${what} paid`, figures(times.paid), '< 500 ms');
  report.row(`${what} unpaid`, figures(times.unpaid), '< 500 ms');
}

async function addPositions(client: pg.Client, traders: number): Promise<void> {
  await client.query(
    `INSERT INTO closed_position (account_id, trader_id, provider_id, venue_id, symbol, side, entry_price, exit_price,
       closed_pnl, closed_at)
     SELECT a.id, a.trader_id, a.provider_id, a.id || ' ' || n, 'BTCUSDT', 'long', 60000, 61000, 10 + n,
       now() - make_interval(hours => n)
     FROM (SELECT DISTINCT ON (trader_id) * FROM exchange_account WHERE created_at < now() - interval '1 day'
           ORDER BY trader_id LIMIT ${traders}) a
     CROSS JOIN generate_series(1, ${POSITIONS_OF_A_TRADER}) n`,
  );
  await client.query('VACUUM ANALYZE closed_position');
}

/** A trader with a thousand open, imported invoices. */
async function addGroup(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE trader SET reference_number = $1 WHERE id = (SELECT id FROM trader t WHERE deposit_index = 1)`,
    [REFERENCE],
  );
  await client.query(
    `INSERT INTO invoice (id, trader_id, community_id, provider_id, amount_units, payment_address, commission_rate, split,
       due_at, created_at)
     SELECT gen_random_uuid(), t.id, t.community_id, t.selected_provider_id, 1e18, '0x' || repeat('a', 40), 0.5,
       '[{"units": "700000000000000000", "recipient_type": "mark"}, {"units": "300000000000000000", "recipient_type": "community"}]',
       now() + interval '3 days', now() - make_interval(mins => n)
     FROM trader t CROSS JOIN generate_series(1, ${GROUP}) n
     WHERE t.reference_number = $1`,
    [REFERENCE],
  );
  // Its earlier invoices are not part of the group.
  await client.query(
    `UPDATE invoice SET is_archived = true WHERE trader_id = (SELECT id FROM trader WHERE reference_number = $1)
       AND amount_units <> 1e18`,
    [REFERENCE],
  );
}
