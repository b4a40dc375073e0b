import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_HOT_WALLET } from '@copydesk/simulators/world';
import pg from 'pg';
import { createPublicClient, createWalletClient, erc20Abi, http } from 'viem';
import { bsc } from 'viem/chains';

// A common way to pay withdrawals: send, wait for the receipt, then record the payment; after a crash, start with the
// unrecorded ones. It shows that the harness detects a member who is paid twice.
const { DATABASE_URL = '', RPC_URL = '', TOKEN_ADDRESS = '' } = process.env;
const client = new pg.Client({ connectionString: DATABASE_URL });
await client.connect();
await client.query("SELECT set_config('copydesk.scope', 'all', false)");
const transport = http(RPC_URL);
const reader = createPublicClient({ chain: bsc, transport, pollingInterval: 50 });
const wallet = createWalletClient({ chain: bsc, transport, account: DEMO_HOT_WALLET });
process.send?.('ready');
process.once('disconnect', () => process.exit());
for (;;) {
  const { rows } = await client.query<{ id: string; to: `0x${string}`; units: string }>(
    `SELECT w.id, t.external_wallet_address AS to, w.amount_units::text AS units
     FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id JOIN trader t ON t.id = m.trader_id
     WHERE w.state = 'queued' AND t.external_wallet_address IS NOT NULL AND w.amount_units IS NOT NULL
     ORDER BY w.created_at, w.id LIMIT 1`,
  );
  const [next] = rows;
  if (!next) {
    await sleep(40);
    continue;
  }
  const hash = await wallet.writeContract({
    address: TOKEN_ADDRESS as `0x${string}`,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [next.to, BigInt(next.units)],
  });
  await reader.waitForTransactionReceipt({ hash });
  await client.query(`UPDATE pool_withdrawal SET state = 'cancelled', ended_at = now() WHERE id = $1`, [
    next.id,
  ]);
}
