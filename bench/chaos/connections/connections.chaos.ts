import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { WHOLE_SCOPE } from '../../../apps/server/src/platform/db/database.ts';
import { findFreePort } from '../../../apps/server/src/platform/process/free-port.ts';
import { queueMail } from '../../../apps/server/src/platform/work/mail/mailer.ts';
import { WORKER_ACTOR } from '../../../apps/server/src/platform/work/worker-actor.ts';
import { applicationUrlOf } from '../../../tests/support/application-url.ts';
import { createCuttableProxy } from '../../../tests/support/cuttable-proxy.ts';
import { AUDIT_KEY_TEXT } from '../../../tests/support/test-app.ts';
import { KEYRING } from '../../../tests/support/test-keys.ts';
import { UNREACHABLE_EXCHANGES } from '../../../tests/support/unreachable-exchanges.ts';
import { childEnvironment, startWorkerProcess } from '../../../tests/support/worker-process.ts';
import type { OwingCommunity } from '../../../tests/support/world/owing-world.ts';
import { createPayingWorld } from '../../../tests/support/world/paying-world.ts';
import { findUnpaid } from '../../../tests/support/world/sound-payouts.ts';
import { TEST_SEED } from '../../../tests/support/world/transfer-engine.ts';
import { usdt } from '../../../tests/support/world/usdt.ts';
import { CONNECTION_FAULTS, type Proxies } from './connection-faults.ts';
import { followChanges, startLoad } from './connection-load.ts';

// npm run chaos -- connections [--faults=60] [--minutes=20] [--seed=N]: the product's own API and worker reach their
// database, chain and mail through proxies that fail in ways drawn at random, while consoles read, write and listen,
// traders pay and communities are paid out. No call may stay unanswered for more than 30 s, every change has to reach the
// consoles or make them load again, nothing may be lost or paid twice, and 30 s after each fault everything works.
const faults = Number(process.env.CHAOS_FAULTS ?? 60);
const minutes = Number(process.env.CHAOS_MINUTES ?? 20);
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));

const BLOCK_EVERY_MS = 1_000;
const PAY_EVERY_MS = 6_000;
const DISTRIBUTE_EVERY_MS = 15_000;
const MAIL_EVERY_MS = 5_000;
const BACK_WITHIN_MS = 30_000;
const FINAL_WITHIN_MS = 180_000;
/** A mail that failed several times is tried again after minutes. */
const MAILED_WITHIN_MS = 600_000;
const AMOUNT = 20;
const COMMUNITIES = 2;
const WRITERS = 6;

let drawn = 0;
/** In [0, 1), the same for the same seed. */
const random = () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;

function draw() {
  const all = CONNECTION_FAULTS.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  return all[Math.floor(random() * all.length)] as (typeof all)[number];
}

test('connections that fail lose nothing, and leave nothing waiting', async () => {
  console.log(`${faults} faults in ${minutes} minutes, --seed=${seed}`);
  const slotMs = (minutes * 60_000) / faults;
  const payments = Math.ceil((minutes * 60_000) / PAY_EVERY_MS) + faults * 6;
  const world = await createPayingWorld();
  onTestFinished(() => world.close());
  const mail = await startMailServer();
  const proxies: Proxies = {
    database: await createCuttableProxy(world.ownerUrl),
    chain: await createCuttableProxy(world.chain.url),
    mail: await createCuttableProxy(mail.url),
    async setReadOnly(isReadOnly) {
      const name = new URL(world.ownerUrl).pathname.slice(1);
      await world.owner(`BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}; COMMIT;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = '${name}' AND application_name LIKE 'copydesk-%'`);
    },
  };
  onTestFinished(async () => {
    await Promise.all([proxies.database.close(), proxies.chain.close(), proxies.mail.close()]);
  });

  const communities: OwingCommunity[] = [];
  for (let nth = 0; nth < COMMUNITIES; nth += 1) {
    const community = await world.addCommunity();
    await world.chain.giveCoin(community.wallet, 10n ** 19n);
    communities.push(community);
  }
  const traders: string[] = [];
  for (let nth = 0; nth < payments; nth += 1) {
    const { id: community_id, providerId } = communities[nth % COMMUNITIES] as OwingCommunity;
    const trader = await world.addTrader({ community_id, selected_provider_id: providerId });
    await world.addPositions(trader, String(2 * AMOUNT));
    traders.push(trader.id);
  }
  await world.invoice();
  await world.owner('DELETE FROM chain_cursor');
  await world.chain.node.setAutomine(false);
  const mining = every(BLOCK_EVERY_MS, () => world.chain.mine(1));

  const throughProxies = {
    CHAIN_RPC_URLS: proxies.chain.url.replace(/\/$/, ''),
    CHAIN_ID: '56',
    TOKEN_ADDRESS: world.chain.token.address,
    APPROVAL_ABOVE_USDT: '100000',
    SMTP_URL: proxies.mail.url.replace(/\/$/, ''),
    SMTP_FROM: 'desk@copydesk.example',
  };
  const databasePort = new URL(proxies.database.url).port;
  const url = await startApiProcess(world.ownerUrl, databasePort, throughProxies);
  await startWorkerProcess(
    world.ownerUrl,
    {
      ...throughProxies,
      WALLET_SEED: TEST_SEED,
      PAYOUT_MAX_PER_TRANSACTION: '100000',
      PAYOUT_MAX_PER_DAY: '1000000',
      READING_EVERY_MS: '86400000',
    },
    databasePort,
  );
  await expect.poll(() => world.owner('SELECT FROM chain_cursor'), { timeout: 60_000 }).toHaveLength(1);
  const token = { current: world.token };
  const renewing = every(60_000, async () => {
    token.current = await world.signIn('super');
  });

  const api = { url, token: () => token.current };
  const writers = (
    await world.owner<{ id: string }>('SELECT id FROM trader ORDER BY id LIMIT $1', [WRITERS])
  ).map(({ id }) => id);
  const consoles = [followChanges(api), followChanges(api)];
  const load = startLoad({ ...api, traderIds: writers });

  let mailed = 0;
  const mailing = every(MAIL_EVERY_MS, async () => {
    const written = {
      kind: 'account_changed',
      to: 'person@example.com',
      subject: `Mail ${mailed + 1}`,
      text: '',
    } as const;
    await world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      queueMail(tx, { keyring: KEYRING, at: new Date() }, written),
    );
    mailed += 1;
  });
  let paid = 0;
  const paying = every(PAY_EVERY_MS, async () => {
    if (paid >= traders.length) return;
    const [invoice] = await world.invoicesOf(traders[paid] as string);
    paid += 1;
    await world.chain.pay(invoice?.payment_address as string, usdt(AMOUNT));
  });
  // As a console does: the same order again until it is answered.
  const orders = new Map<string, string>();
  const distributing = every(DISTRIBUTE_EVERY_MS, async () => {
    for (const { id } of communities) {
      const key = orders.get(id) ?? crypto.randomUUID();
      orders.set(id, key);
      const answer = await fetch(`${url}/api/super-admin/communities/${id}/distribute`, {
        method: 'POST',
        headers: {
          authorization: token.current,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: '{}',
      }).catch(() => null);
      if (answer && answer.status !== 503 && answer.status !== 409) orders.delete(id);
    }
  });

  /** Whether everything works: calls, changes, the worker, and the consoles. */
  const isBack = async (since: number) => {
    const [beat] = await world.owner<{ isBeating: boolean }>(
      `SELECT coalesce(max(seen_at) > $1::timestamptz, false) AS "isBeating" FROM worker_heartbeat`,
      [new Date(since)],
    );
    const [trader = ''] = writers;
    const askedAt = Date.now();
    const calls = await Promise.all([load.ask('/api/traders?limit=1'), load.ask('/api/ready')]);
    await sleep(1_500);
    const written = (load.seen.written.get(trader) ?? []).find(
      ({ sentAt, answeredAt }) => sentAt >= askedAt && answeredAt !== null,
    );
    const isShown = written !== undefined && consoles.every(({ shows }) => shows(trader, written));
    return beat?.isBeating && calls.every(({ status }) => status === 200) && isShown;
  };

  const results: { fault: string; backAfterMs: number | null }[] = [];
  const unshown: string[] = [];
  const beganAt = performance.now();
  for (let nth = 0; nth < faults; nth += 1) {
    const fault = draw();
    const faultMs = slotMs * (0.2 + 0.3 * random());
    await fault.begin(proxies);
    await sleep(faultMs);
    await fault.end(proxies);
    const endedAt = Date.now();
    let backAfterMs: number | null = null;
    while (backAfterMs === null && Date.now() - endedAt < 2 * BACK_WITHIN_MS)
      if (await isBack(endedAt)) backAfterMs = Date.now() - endedAt;
    results.push({ fault: fault.name, backAfterMs });
    console.log(
      `${nth + 1}. ${fault.name} for ${(faultMs / 1_000).toFixed(1)} s, back after ${backAfterMs === null ? 'never' : `${(backAfterMs / 1_000).toFixed(1)} s`}`,
    );
    // No later change hides that one was missed.
    const goOn = await load.holdWrites();
    await sleep(1_500);
    for (const traderId of writers) {
      const last = load.seen.written.get(traderId)?.findLast(({ answeredAt }) => answeredAt !== null);
      if (last && consoles.some(({ shows }) => !shows(traderId, last)))
        unshown.push(`${fault.name}: ${traderId}`);
    }
    goOn();
    const restMs = (nth + 1) * slotMs - (performance.now() - beganAt);
    if (restMs > 0) await sleep(restMs);
  }

  await load.stop();
  await Promise.all([paying.stop(), mailing.stop()]);
  const unfinished = async () => {
    const [row] = await world.owner<{ unbooked: number; open: number }>(
      `SELECT (SELECT count(*)::int FROM invoice i WHERE i.trader_id = ANY ($1::uuid[]) AND i.status <> 'paid') AS unbooked,
         (SELECT count(*)::int FROM payout WHERE community_id = ANY ($2::uuid[]) AND status <> 'distributed') AS open`,
      [traders.slice(0, paid), communities.map(({ id }) => id)],
    );
    return (row?.unbooked ?? 0) + (row?.open ?? 0);
  };
  const since = performance.now();
  while ((await unfinished()) > 0 && performance.now() - since < FINAL_WITHIN_MS) await sleep(1_000);
  const finalAfterMs = performance.now() - since;
  const left = await unfinished();
  await Promise.all([distributing.stop(), renewing.stop(), ...consoles.map(({ stop }) => stop())]);
  await mining.stop();
  const mailedBy = performance.now() + MAILED_WITHIN_MS;
  while (mail.subjects.size < mailed && performance.now() < mailedBy) await sleep(1_000);

  const wrong: string[] = [];
  for (const { id } of communities) wrong.push(...(await findUnpaid(world, world.chain.token, id)));
  const [booked] = await world.owner<{ units: string }>(
    'SELECT coalesce(sum(amount_units), 0)::text AS units FROM deposit WHERE trader_id = ANY ($1::uuid[])',
    [traders],
  );
  const lost: string[] = [];
  for (const [traderId, values] of load.seen.written) {
    const [row] = await world.owner<{ reference_number: string }>(
      'SELECT reference_number FROM trader WHERE id = $1',
      [traderId],
    );
    // Written once its answer came; one without an answer may have been written, or not.
    const last = values.findLastIndex(({ answeredAt }) => answeredAt !== null);
    if (!values.slice(Math.max(last, 0)).some(({ value }) => value === row?.reference_number))
      lost.push(traderId);
  }
  const { statuses, slowestMs, unanswered } = load.seen;
  console.log(
    [
      `answers by status: ${JSON.stringify(Object.fromEntries(statuses))}, the slowest after ${(slowestMs / 1_000).toFixed(1)} s`,
      `${unanswered.length} calls unanswered for 30 s, ${load.seen.wrong.length} answered otherwise than with 200 or 503`,
      `${lost.length} answered writes lost, ${unshown.length} changes not shown`,
      `${mail.subjects.size} of ${mailed} mails arrived`,
      `${paid} payments of traders; all final ${(finalAfterMs / 1_000).toFixed(0)} s after the end, ${left} not`,
      ...[...new Set(load.seen.wrong)].slice(0, 10),
    ].join('\n'),
  );
  expect(unanswered).toEqual([]);
  expect(load.seen.wrong).toEqual([]);
  expect(lost).toEqual([]);
  expect(unshown).toEqual([]);
  expect(mail.subjects.size, 'every mail arrives').toBe(mailed);
  expect(left).toBe(0);
  expect(wrong).toEqual([]);
  expect(BigInt(booked?.units ?? 0), 'every payment is booked, once').toBe(BigInt(paid) * usdt(AMOUNT));
  const late = results.filter(({ backAfterMs }) => backAfterMs === null || backAfterMs > BACK_WITHIN_MS);
  expect(late).toEqual([]);
});

/** Repeats work until it is stopped; a failed turn is tried again. */
function every(pauseMs: number, work: () => Promise<unknown>) {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await work().catch(() => {});
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  const stop = () => {
    stopping.abort();
    return running;
  };
  onTestFinished(stop);
  return { stop };
}

/** The product's API over a proxy, until the test ends. @returns its address */
async function startApiProcess(
  ownerUrl: string,
  databasePort: string,
  settings: Record<string, string>,
): Promise<string> {
  const database = new URL(await applicationUrlOf(ownerUrl));
  database.port = databasePort;
  const port = String(await findFreePort());
  const program = fileURLToPath(new URL('../../../apps/server/src/bin/api.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: childEnvironment({
      ...UNREACHABLE_EXCHANGES,
      ...settings,
      COPYDESK_DEMO: '1',
      DATABASE_URL: database.href,
      DATABASE_DURABILITY: 'single',
      AUDIT_KEY: AUDIT_KEY_TEXT,
      BETTER_AUTH_SECRET: 'test-secret-0123456789-0123456789-0123456789',
      CREDENTIALS_KEY: 'test-master-key-0123456789-0123456789',
      CREDENTIALS_INDEX_KEY: 'x'.repeat(32),
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'fatal',
      PORT: port,
    }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
  return url;
}

/** A mail server that accepts every mail, and notes the subjects. */
async function startMailServer(): Promise<{ url: string; subjects: Set<string> }> {
  const subjects = new Set<string>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 mail.example ESMTP\r\n');
    let isBody = false;
    socket.on('data', (piece) => {
      for (const line of piece.toString().split('\r\n').slice(0, -1)) {
        const [, subject] = /^Subject: (.*)/.exec(line) ?? [];
        if (isBody && subject) subjects.add(subject);
        if (isBody && line !== '.') continue;
        const says = line.slice(0, 4).toUpperCase();
        isBody = says === 'DATA';
        if (says === 'QUIT') socket.end('221 bye\r\n');
        else socket.write(isBody ? '354 go on\r\n' : '250 fine\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, subjects };
}
