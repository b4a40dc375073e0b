import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { takeTransferTurn } from '../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { ChainSilent, createChainSender } from '../../apps/server/src/integrations/chain/chain-sender.ts';
import { createFaultyRpc, type FaultyRpc, type RpcBehaviour } from '../support/faulty-rpc.ts';
import type { OwingCommunity } from '../support/world/owing-world.ts';
import { createPayingWorld, type PayingWorld } from '../support/world/paying-world.ts';
import { findUnpaid } from '../support/world/sound-payouts.ts';

// Patience, not a measure: each of them lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PayingWorld;
let rpc: FaultyRpc;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createPayingWorld();
  rpc = await createFaultyRpc(world.chain.url);
});
afterAll(async () => {
  await rpc?.close();
  await world?.close();
});
beforeEach(async () => {
  community = await world.addCommunity();
  await world.addPaid(community, 50);
  await world.chain.giveCoin(community.wallet, 10n ** 18n);
  await world.distribute(community.id);
});
afterEach(async () => {
  rpc.heal();
  await world.chain.node.setAutomine(true);
  await world.payOut();
});

type Changes = Parameters<PayingWorld['engineWith']>[0];
const turn = (changes: Changes = {}) => takeTransferTurn(world.engineWith(changes));
const senderOf = (...rpcUrls: string[]) =>
  createChainSender({ rpcUrls, tokenAddress: world.chain.token.address, timeoutMs: 1_000 });
/** The faulty server comes first, and a sound one stands beside it. */
const twoServers = () => senderOf(rpc.url, world.chain.url);
const statuses = async () => [...new Set((await world.payoutsOf(community.id)).map(({ status }) => status))];
const walletOf = async (ownerId = community.id) =>
  (
    await world.owner<{ id: string; frozen_because: string | null }>(
      'SELECT id, frozen_because FROM chain_wallet WHERE owner_id = $1',
      [ownerId],
    )
  )[0];
const expectPaid = async () => {
  expect(await statuses()).toEqual(['distributed']);
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
};
/** Takes turns until what is owed is in the community's wallet, and nothing has left it. */
async function untilConsolidated(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await turn({ inFlight: 0 });
    if ((await statuses()).every((status) => status === 'consolidated')) return;
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await turn();
    await world.chain.finalize();
  }
  throw new Error('the money did not come');
}
/** What a server answers about receipts, with something changed. */
const receipts =
  (change: (receipt: Record<string, unknown>) => Record<string, unknown>): RpcBehaviour =>
  async ({ method }, forward) => {
    const answer = await forward();
    if (method !== 'eth_getTransactionReceipt' || !('result' in answer) || !answer.result) return answer;
    return { result: change(answer.result as Record<string, unknown>) };
  };

test('a server that is down is no reason to take our own transactions for those of somebody else', async () => {
  await untilConsolidated();
  await turn();
  await world.chain.finalize();
  rpc.behave(async () => ({ status: 503 }));
  await turn({ chain: twoServers(), doubtMs: 0, inFlight: 0 });
  expect(await walletOf()).toMatchObject({ frozen_because: null });
  rpc.heal();
  await turn({ chain: twoServers(), doubtMs: 0 });
  await expectPaid();
});

test('a server that knows no receipts yet is no reason either while another one has them', async () => {
  await untilConsolidated();
  await turn();
  await world.chain.finalize();
  rpc.behave(({ method }, forward) =>
    method === 'eth_getTransactionReceipt' ? Promise.resolve({ result: null }) : forward(),
  );
  await turn({ chain: twoServers(), doubtMs: 0, inFlight: 0 });
  expect(await walletOf()).toMatchObject({ frozen_because: null });
  rpc.heal();
  await world.payOut();
  await expectPaid();
});

test('a server that leaves out what a transaction logged is not believed alone', async () => {
  await untilConsolidated();
  await turn();
  await world.chain.finalize();
  rpc.behave(receipts((receipt) => ({ ...receipt, logs: [] })));
  await turn({ chain: twoServers(), doubtMs: 0, inFlight: 0 });
  expect(await walletOf()).toMatchObject({ frozen_because: null });
  rpc.heal();
  await world.payOut();
  await expectPaid();
});

test('doubts that were resolved do not count when they come up again', async () => {
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  let now = Date.now();
  const engine = world.engineWith({
    chain: senderOf(rpc.url),
    now: () => new Date(now),
    resendMs: 1e9,
    stuckMs: 1e9,
  });
  const ahead: RpcBehaviour = async ({ method, params }, forward) =>
    method === 'eth_getTransactionCount' && params[1] === 'finalized' ? { result: '0x40' } : forward();
  for (const behaviour of [ahead, null, ahead]) {
    if (behaviour) rpc.behave(behaviour);
    else rpc.heal();
    await takeTransferTurn(engine);
    now += 120_000;
  }
  expect(await walletOf()).toMatchObject({ frozen_because: null });
});

test('a worker that wakes up late does not freeze what another one has settled', async () => {
  await untilConsolidated();
  await turn();
  await world.chain.finalize();
  const chain = senderOf(world.chain.url);
  let isLate = true;
  await turn({
    doubtMs: 0,
    chain: {
      ...chain,
      async finalReceipt() {
        const wasLate = isLate;
        isLate = false;
        if (wasLate) await world.payOut();
        return 'none';
      },
    },
  });
  expect(await walletOf()).toMatchObject({ frozen_because: null });
  await expectPaid();
});

test('a transfer that cannot be booked holds up no other', async () => {
  const [broken] = await world.payoutsOf(community.id);
  await untilConsolidated();
  const other = await world.addCommunity();
  await world.addPaid(other, 30);
  await world.distribute(other.id);
  // What it paid is more than the books have for it now.
  await world.owner(`UPDATE payable SET amount_units = amount_units * 100 WHERE payout_id = $1`, [
    broken?.id,
  ]);
  await world.payOut().catch(() => undefined);
  expect((await world.payoutsOf(other.id)).map(({ status }) => status)).toEqual(
    (await world.payoutsOf(other.id)).map(() => 'distributed'),
  );
  await world.owner(`UPDATE payable SET amount_units = amount_units / 100 WHERE payout_id = $1`, [
    broken?.id,
  ]);
  expect(await walletOf()).toMatchObject({ frozen_because: 'cannot_be_booked' });
  await turn();
  await expectPaid();
});

test('a replacement that there is no coin for is not signed: coin is ordered for it', async () => {
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  const [spent] = await world.owner<{ wei: string }>(
    `SELECT sum(max_fee_wei * gas_limit)::text AS wei FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id
     WHERE i.community_id = $1 AND i.kind = 'distribute'`,
    [community.id],
  );
  await world.chain.giveCoin(community.wallet, BigInt(spent?.wei ?? 0));
  for (let n = 0; n < 5; n++) await turn({ stuckMs: 0 });
  // The server has forgotten what it was sent.
  const sent = await world.owner<{ hash: `0x${string}` }>(
    'SELECT hash FROM transfer_attempt WHERE block_number IS NULL',
  );
  for (const { hash } of sent) await world.chain.node.dropTransaction({ hash }).catch(() => undefined);
  await world.chain.node.setAutomine(true);
  await world.payOut(world.engineWith({ resendMs: 0 }));
  await expectPaid();
});

test('signing leaves a community that somebody decides about for later, and neither is given up for the other', async () => {
  await untilConsolidated();
  const deciding = new pg.Client({ connectionString: world.ownerUrl });
  await deciding.connect();
  onTestFinished(() => deciding.end());
  await deciding.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
  await deciding.query('SELECT FROM community WHERE id = $1 FOR NO KEY UPDATE', [community.id]);
  const warn = vi.fn();
  const signing = turn({ log: { ...world.log, warn, error: warn, info: () => {} } as never });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await deciding.query('SELECT FROM transfer WHERE community_id = $1 ORDER BY id FOR NO KEY UPDATE', [
    community.id,
  ]);
  await deciding.query('COMMIT');
  expect(await signing).toBe(false);
  expect(warn).not.toHaveBeenCalled();
  await world.payOut();
  await expectPaid();
});

test('a gas wallet without coin says so, whatever servers say of what it is to send', async () => {
  await world.chain.giveCoin(world.gasWallet, 0n);
  rpc.behave(async ({ method, params }, forward) =>
    method === 'eth_estimateGas' && BigInt((params[0] as { value?: string }).value ?? 0) > 0n
      ? { error: { code: -32000, message: 'insufficient funds for transfer' } }
      : forward(),
  );
  for (let n = 0; n < 2; n++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await turn({ chain: senderOf(rpc.url) });
  }
  rpc.heal();
  const problems = await world.owner(
    `SELECT DISTINCT problem FROM transfer WHERE kind = 'gas_topup' AND state = 'planned'`,
  );
  await world.chain.giveCoin(world.gasWallet, 10n ** 20n);
  expect(problems).toEqual([{ problem: 'gas_wallet_empty' }]);
  await world.payOut();
  await expectPaid();
});

test('neither the address of a server nor signed bytes come into the log', async () => {
  await untilConsolidated();
  const logged: string[] = [];
  const note = (...what: unknown[]) => {
    for (const each of what)
      if (typeof each === 'object' && each !== null)
        for (const value of Object.values(each))
          logged.push(value instanceof Error ? `${value.message} ${value.stack}` : JSON.stringify(value));
  };
  const log = { ...world.log, warn: note, error: note, info: note } as never;
  const chain = senderOf(`${rpc.url}/v3/the-key-of-our-account`);
  rpc.behave(async ({ method }, forward) =>
    method === 'eth_getTransactionCount' || method === 'eth_sendRawTransaction' ? { status: 429 } : forward(),
  );
  await turn({ chain, log }).catch((err) => note({ err }));
  rpc.behave(async ({ method }, forward) =>
    method === 'eth_sendRawTransaction' ? { status: 429 } : forward(),
  );
  await turn({ chain, log }).catch((err) => note({ err }));
  await Promise.all([turn({ chain, log, resendMs: 0 }), chain.coinOf(community.wallet)]).catch((err) =>
    note({ err }),
  );
  expect(logged.length).toBeGreaterThan(0);
  const raw = await world.owner<{ raw: string }>('SELECT raw FROM transfer_attempt');
  for (const line of logged) {
    expect(line).not.toContain('the-key-of-our-account');
    for (const { raw: bytes } of raw) expect(line).not.toContain(bytes);
  }
  rpc.heal();
  await world.payOut();
  await expectPaid();
});

test('a top-up of more than the gas wallet has leaves what it has for others, and takes what there is', async () => {
  await world.payOut();
  const place = await world.addCommunity();
  await world.addPaid(place, 50);
  await world.distribute(place.id);
  const { maxFee } = await world.engineWith().chain.currentFee();
  const [planned] = await world.owner<{ n: number }>(
    `SELECT count(*)::int AS n FROM transfer WHERE community_id = $1 AND kind = 'distribute'`,
    [place.id],
  );
  // Enough for every transfer, and less than twice as much.
  await world.chain.giveCoin(world.gasWallet, BigInt(planned?.n ?? 0) * 130_000n * maxFee);
  await world.payOut();
  expect(new Set((await world.payoutsOf(place.id)).map(({ status }) => status))).toEqual(
    new Set(['distributed']),
  );
  await world.chain.giveCoin(world.gasWallet, 10n ** 20n);
});

test('a server of another chain is not paid over', async () => {
  rpc.behave(async ({ method }, forward) => (method === 'eth_chainId' ? { result: '0x61' } : forward()));
  await expect(twoServers().check(56)).rejects.toThrow('the chain is 97, not 56');
  rpc.behave(async () => ({ status: 503 }));
  await expect(twoServers().check(56)).resolves.toBeUndefined();
  await expect(senderOf(rpc.url).check(56)).rejects.toBeInstanceOf(ChainSilent);
});

test('nothing is collected into a wallet of another seed', async () => {
  await world.payOut();
  const place = await world.addCommunity();
  await world.owner('UPDATE community SET internal_wallet_address = $2 WHERE id = $1', [
    place.id,
    `0x${'5'.repeat(40)}`,
  ]);
  const { address } = await world.addPaid(place, 20);
  expect((await world.distribute(place.id)).status).toBe(200);
  const held = await world.chain.token.balanceOf(address as `0x${string}`);
  for (let n = 0; n < 3; n++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await turn();
    await world.chain.finalize();
  }
  expect(await world.chain.token.balanceOf(address as `0x${string}`)).toBe(held);
  const problems = await world.owner(
    `SELECT DISTINCT problem FROM transfer WHERE community_id = $1 AND problem IS NOT NULL`,
    [place.id],
  );
  await world.owner(`UPDATE transfer SET state = 'void', ended_at = now() WHERE community_id = $1`, [
    place.id,
  ]);
  expect(problems).toEqual([{ problem: 'wallet_not_of_seed' }]);
});

test('a wallet that somebody decides about just now is not frozen for what was seen before', async () => {
  await untilConsolidated();
  await turn();
  await world.chain.finalize();
  const deciding = new pg.Client({ connectionString: world.ownerUrl });
  await deciding.connect();
  onTestFinished(() => deciding.end());
  await deciding.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
  await deciding.query('UPDATE chain_wallet SET chain_nonce = 0 WHERE owner_id = $1', [community.id]);
  const chain = senderOf(world.chain.url);
  await turn({ doubtMs: 0, inFlight: 0, chain: { ...chain, finalReceipt: async () => 'none' } });
  await deciding.query('COMMIT');
  expect(await walletOf()).toMatchObject({ frozen_because: null });
  await world.payOut();
  await expectPaid();
});

test('deposit addresses of one community are emptied at once and do not wait for each other', async () => {
  await world.payOut();
  const place = await world.addCommunity();
  for (let n = 0; n < 12; n++) {
    const { address } = await world.addPaid(place, 5);
    await world.chain.giveCoin(address, 10n ** 18n);
  }
  await world.distribute(place.id);
  await turn();
  const [sent] = await world.owner(
    `SELECT count(*)::int AS n FROM transfer WHERE community_id = $1 AND kind = 'consolidate' AND state = 'sent'`,
    [place.id],
  );
  expect(sent).toEqual({ n: 12 });
});
