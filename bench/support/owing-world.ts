import { createHash, randomUUID } from 'node:crypto';
import {
  CHAIN_ID,
  type DemoToken,
  findFreePort,
  openDemoToken,
  startChain,
} from '@copydesk/simulators/chain';
import pg from 'pg';
import { createTestClient, getAddress, http, publicActions } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import { takeOpeningTurn } from '../../apps/server/src/features/invoices/books/openings/opening-turn.ts';
import { distribute } from '../../apps/server/src/features/payouts/distributions/distribute.service.ts';
import { orderRun, planRun } from '../../apps/server/src/features/payouts/runs/payout-run.service.ts';
import { createWalletKeys } from '../../apps/server/src/integrations/chain/wallet-keys.ts';
import {
  type ApplicationRole,
  createPool,
  OPERATOR_ROLE,
} from '../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase, type Database, WHOLE_SCOPE } from '../../apps/server/src/platform/db/database.ts';
import { migrate } from '../../apps/server/src/platform/db/installation/migrate.ts';

const AUDIT_KEY = Buffer.alloc(32, 3);
/** Of every bench database. */
export const AUDIT_KEYS = { chain: AUDIT_KEY, worker: null };
const TOKEN_OWNER = privateKeyToAccount(`0x${'1'.repeat(64)}`);
const COIN = 10n ** 18n;
const ACTOR = { kind: 'system', id: 'bench', name: 'bench' } as const;

/** Opens a database like a benchmark's programs: as a worker, when no role is named. */
export function openBenchDatabase(url: string, applicationName: string, role?: ApplicationRole): Database {
  return createDatabase({
    pool: createPool({ url, applicationName, maxConnections: 8, ...(role && { role }) }),
    auditKey: AUDIT_KEY,
    now: () => new Date(),
  });
}

export interface Owing {
  communityId: string;
  wallet: string;
}

/**
 * A database and a local chain whose communities owe shares to many recipients, each backed at the deposit address of
 * the trader who paid it. Blocks are made on request.
 */
export async function createOwingWorld(ownerUrl: string, name: string) {
  const admin = new pg.Client({ connectionString: ownerUrl });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  const databaseUrl = url.href;
  await migrate(databaseUrl);
  const seed = createHash('sha512').update(name).digest();
  const chain = await startChain({ port: await findFreePort(), blockSeconds: null, stateFile: null });
  const world = await openOwingWorld({ databaseUrl, rpcUrl: chain.url, seed });
  await world.node.setBalance({
    address: getAddress(world.keys.addressOf({ role: 'gas', keyIndex: 0 })),
    value: 1_000n * COIN,
  });
  await world.rows(
    `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash)
     VALUES ($1, $2, 0, '0x' || repeat('0', 64))`,
    [CHAIN_ID, world.token.address.toLowerCase()],
  );
  return {
    ...world,
    async close(): Promise<void> {
      await Promise.all([world.close(), chain.stop()]);
    },
  };
}
export type OwingWorld = Awaited<ReturnType<typeof createOwingWorld>>;

/**
 * The same over a migrated database and a chain that exist, for several programs beside each other.
 * @param place.payer signs what traders pay, of one program alone; without it their tokens are made
 */
export async function openOwingWorld({
  databaseUrl,
  rpcUrl,
  seed,
  payer,
}: {
  databaseUrl: string;
  rpcUrl: string;
  seed: Buffer;
  payer?: PrivateKeyAccount;
}) {
  const client = new pg.Pool({ connectionString: databaseUrl, max: 2, options: '-c copydesk.scope=all' });
  // When the database is stopped after a failure, the failure itself must stay readable.
  client.on('error', () => {});
  client.on('connect', (connection) => connection.on('error', () => {}));
  // It orders as people do, and opens books as workers do.
  const db = openBenchDatabase(databaseUrl, 'bench-owing', OPERATOR_ROLE);

  const keys = createWalletKeys(seed);
  const token: DemoToken = await openDemoToken(rpcUrl, TOKEN_OWNER);
  const pay = (to: `0x${string}`, units: bigint) =>
    payer ? token.transfer(payer, to, units) : token.mint(to, units);
  const node = createTestClient({
    chain: bsc,
    transport: http(rpcUrl, { timeout: 60_000 }),
    mode: 'anvil',
  }).extend(publicActions);
  const rows = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<R>(text, values)).rows;
  const provider = randomUUID();
  await rows(`INSERT INTO provider (id, name, display_name) VALUES ($1, $2, 'P')`, [provider, provider]);

  const opening = {
    db,
    token: { chainId: CHAIN_ID, tokenAddress: token.address.toLowerCase() },
    tokenBalances: (addresses: readonly string[]) =>
      Promise.all(addresses.map((address) => token.balanceOf(address as `0x${string}`))),
  };

  const deps = {
    chainId: CHAIN_ID,
    tokenAddress: token.address,
    rules: {
      approvalAboveUnits: null,
      maximumUnits: null,
      writeOffAboveUnits: null,
      minimumUnits: 0n,
      addressHoldHours: 24,
      approverMinAgeMs: 0,
    },
    now: () => new Date(),
  };

  return {
    databaseUrl,
    db,
    rows,
    seed,
    rpcUrl,
    keys,
    token,
    node,
    provider,
    async addCommunity(): Promise<Owing> {
      const [row] = await rows<{ id: string; key_index: number }>(
        `INSERT INTO community (name) VALUES (gen_random_uuid()) RETURNING id, internal_wallet_index AS key_index`,
      );
      const { id, key_index: keyIndex } = row as { id: string; key_index: number };
      const wallet = keys.addressOf({ role: 'community', keyIndex });
      await rows('UPDATE community SET internal_wallet_address = $2 WHERE id = $1', [id, wallet]);
      await rows('INSERT INTO community_provider (community_id, provider_id) VALUES ($1, $2)', [
        id,
        provider,
      ]);
      return { communityId: id, wallet };
    },
    /** Owes each recipient an odd amount, from invoices that this many traders paid. */
    async owe({ communityId }: Owing, recipients: number, traders: number): Promise<void> {
      const added = await rows<{ id: string; index: number }>(
        `INSERT INTO trader (community_id, selected_provider_id, referral_code, books_opened_at)
         SELECT $1, $2, gen_random_uuid(), NULL FROM generate_series(1, $3) RETURNING id, deposit_index AS index`,
        [communityId, provider, traders],
      );
      const addresses = added.map(({ index }) => keys.addressOf({ role: 'deposit', keyIndex: index }));
      await rows(
        `UPDATE trader t SET deposit_address = n.address
         FROM unnest($1::uuid[], $2::text[]) AS n (id, address) WHERE t.id = n.id`,
        [added.map(({ id }) => id), addresses],
      );
      const owed = await rows<{ address: string; units: string }>(
        `WITH n AS (
           SELECT gen_random_uuid() AS id, s, t.id AS trader_id, t.deposit_address,
             (10 ^ 18)::numeric * (1 + s % 7) + (hashtext(s::text) & 65535) AS units
           FROM generate_series(1, $3::int) s
           JOIN (SELECT id, deposit_address, row_number() OVER (ORDER BY id) AS r FROM trader
                 WHERE id = ANY ($4::uuid[])) t ON t.r = 1 + s % $5::int
         ), i AS (
           INSERT INTO invoice (id, trader_id, community_id, provider_id, amount_units, paid_units, status, settled_by,
             payment_address, commission_rate, split, due_at, paid_at)
           SELECT id, trader_id, $1, $2, units, units, 'paid', 'chain', deposit_address, 0.5,
             jsonb_build_array(jsonb_build_object('recipient_type', 'trader_referrer', 'units', units::text)), now(), now()
           FROM n RETURNING id
         ), p AS (
           INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, recipient_address, amount_units)
           SELECT n.id, $1, $2, 'trader_referrer', '0x' || substr(md5(n.id::text) || md5('r' || n.id), 1, 40), n.units
           FROM n
         )
         SELECT deposit_address AS address, sum(units)::text AS units FROM n GROUP BY 1`,
        [communityId, provider, recipients, added.map(({ id }) => id), traders],
      );
      await whileMining(node, async () => {
        // One after the other: the same account signs them.
        for (const { address, units } of owed) await pay(address as `0x${string}`, BigInt(units));
      });
      while (await takeOpeningTurn(opening)) {
        // until the books of all traders are open
      }
    },
    distribute: ({ communityId }: Owing) =>
      db.write(WHOLE_SCOPE, ACTOR, (tx) => distribute(tx, deps, { communityId, isDry: false })),
    planRun: (communityIds: readonly string[]) =>
      db.read(WHOLE_SCOPE, (tx) => planRun(tx, deps, ACTOR.id, communityIds)),
    orderRun: (communityIds: readonly string[], seen: string) =>
      db.write(WHOLE_SCOPE, ACTOR, (tx) => orderRun(tx, deps, { communityIds, seen })),
    async close(): Promise<void> {
      await Promise.all([client.end(), db.close()]);
    },
  };
}

/** Mines while a task waits for its blocks. */
export async function whileMining(
  node: { mine(args: { blocks: number }): Promise<unknown> },
  work: () => Promise<void>,
): Promise<void> {
  const timer = setInterval(() => void node.mine({ blocks: 1 }).catch(() => {}), 50);
  await work().finally(() => clearInterval(timer));
}
