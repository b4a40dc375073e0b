import { DEMO_TOKEN_ADDRESS, DEMO_WALLET_SEED } from '@copydesk/simulators/world';
import pg from 'pg';
import { requirePort } from '../launcher/listening-port.ts';

/** The chain of a killed start writes its state before it releases the port. */
const PATIENCE_MS = 5000;

/**
 * The settings by which the demo world reaches its chain: a local one, whatever the environment says. A world without
 * simulators has none.
 * @param ownerUrl connection of the owner of the schema
 * @param wantedPort 0: any free one
 */
export async function chainSettings(
  ownerUrl: string,
  areSimulated: boolean,
  wantedPort: number,
): Promise<Record<string, string>> {
  if (!areSimulated) return { CHAIN_RPC_URLS: '' };
  const port = await requirePort(wantedPort, '127.0.0.1', {
    patienceMs: PATIENCE_MS,
    variable: 'SIMULATORS_PORT_CHAIN',
  });
  return {
    SIMULATORS_PORT_CHAIN: String(port),
    SIMULATORS_CHAIN_HOLDINGS: await findHoldings(ownerUrl),
    ...(await findPools(ownerUrl)),
    CHAIN_RPC_URLS: `http://127.0.0.1:${port}`,
    CHAIN_ID: '56',
    TOKEN_ADDRESS: DEMO_TOKEN_ADDRESS,
    WALLET_SEED: DEMO_WALLET_SEED.toString('hex'),
  };
}

/**
 * The first balances on the chain: of deposit addresses, the backing of imported shares that are still owed, those of
 * failed payouts included, and partial payments of invoices; of proxy wallets, what the books of their pools have there.
 * An existing chain ignores them.
 */
async function findHoldings(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'copydesk-demo' });
  await client.connect();
  try {
    await client.query("SET copydesk.scope = 'all'");
    const { rows } = await client.query<{ holding: string }>(
      `SELECT t.deposit_index || ':' || sum(held.units) AS holding
       FROM (
         SELECT i.trader_id, y.amount_units AS units FROM payable y JOIN invoice i ON i.id = y.invoice_id
         LEFT JOIN payout o ON o.id = y.payout_id
         WHERE y.paid_at IS NULL AND (o.id IS NULL OR o.status = 'failed')
         UNION ALL SELECT i.trader_id, i.paid_units FROM invoice i WHERE i.status = 'pending' AND i.paid_units > 0
       ) held JOIN trader t ON t.id = held.trader_id
       WHERE t.deposit_address IS NOT NULL
       GROUP BY t.deposit_index
       UNION ALL SELECT 'proxy' || p.proxy_index || ':' || b.posted
       FROM pooled_account p JOIN ledger_account a ON a.kind = 'pool_proxy' AND a.owner_id = p.id
       JOIN ledger_balance b ON b.account_id = a.id WHERE b.posted > 0`,
    );
    return rows.map(({ holding }) => holding).join(',');
  } finally {
    await client.end();
  }
}

/** The accounts of the pools at the simulated exchange hold what the books say. Existing accounts ignore the funds. */
async function findPools(ownerUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'copydesk-demo' });
  await client.connect();
  try {
    await client.query("SET copydesk.scope = 'all'");
    const { rows } = await client.query<{
      id: string;
      index: number;
      has_bot: boolean;
      units: string | null;
    }>(
      `SELECT p.id, p.proxy_index AS index, p.has_bot, b.posted AS units FROM pooled_account p
       LEFT JOIN ledger_account a ON a.kind = 'pool_exchange' AND a.owner_id = p.id
       LEFT JOIN ledger_balance b ON b.account_id = a.id`,
    );
    const { rows: members } = await client.query<{ count: number }>(
      'SELECT coalesce(max(deposit_index), 0) AS count FROM pool_member WHERE deposit_address IS NOT NULL',
    );
    const funded = rows.filter(({ units }) => units !== null && units !== '0');
    return {
      // One more than there are: an empty account that a pool can be connected with (README).
      SIMULATORS_POOLS: String(Math.max(0, ...rows.map(({ index }) => index)) + 1),
      SIMULATORS_POOL_MEMBERS: String(members[0]?.count ?? 0),
      SIMULATORS_POOL_IDS: rows
        .filter(({ has_bot }) => has_bot)
        .map(({ index, id }) => `${index}:${id}`)
        .join(','),
      SIMULATORS_POOL_FUNDS: funded.map(({ index, units }) => `${index}:${units}`).join(','),
    };
  } finally {
    await client.end();
  }
}
