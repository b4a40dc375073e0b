import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPublicClient, createWalletClient, erc20Abi, http } from 'viem';
import { HDKey, hdKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';

// A common way to write payouts: send, wait for the receipt, then record the payment; after a crash, start with the
// unrecorded ones. It shows that the harness detects a payment made twice.
const { DATABASE_URL = '', RPC_URL = '', TOKEN_ADDRESS = '', SEED = '' } = process.env;
const client = new pg.Client({ connectionString: DATABASE_URL });
await client.connect();
await client.query("SELECT set_config('copydesk.scope', 'all', false)");
await client.query('CREATE TABLE IF NOT EXISTS naive_paid (payout_id uuid PRIMARY KEY)');
const master = HDKey.fromMasterSeed(Buffer.from(SEED, 'hex'));
const transport = http(RPC_URL);
const reader = createPublicClient({ chain: bsc, transport, pollingInterval: 50 });
process.send?.('ready');
process.once('disconnect', () => process.exit());
for (;;) {
  const { rows } = await client.query<{ id: string; to: `0x${string}`; units: string; key_index: number }>(
    `SELECT o.id, o.recipient_address AS to, o.amount_units::text AS units, c.internal_wallet_index AS key_index
     FROM payout o JOIN community c ON c.id = o.community_id
     WHERE NOT EXISTS (SELECT FROM naive_paid p WHERE p.payout_id = o.id) ORDER BY o.created_at, o.id LIMIT 1`,
  );
  const [next] = rows;
  if (!next) {
    await sleep(40);
    continue;
  }
  const account = hdKeyToAccount(master, { accountIndex: 1, addressIndex: next.key_index });
  const wallet = createWalletClient({ chain: bsc, transport, account });
  const hash = await wallet.writeContract({
    address: TOKEN_ADDRESS as `0x${string}`,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [next.to, BigInt(next.units)],
  });
  await reader.waitForTransactionReceipt({ hash });
  await client.query('INSERT INTO naive_paid VALUES ($1)', [next.id]);
}
