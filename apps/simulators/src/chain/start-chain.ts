import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, createTestClient, type Hash, type Hex, http, publicActions } from 'viem';
import { bsc } from 'viem/chains';

export interface ChainOptions {
  port: number;
  /** Seconds between blocks; null: one block for each transaction, at once. */
  blockSeconds: number | null;
  /** File that keeps the chain between starts; null: the chain is discarded. */
  stateFile: string | null;
}

export interface LocalChain {
  url: string;
  /** Resolves when the chain has ended without being stopped. */
  lost: Promise<void>;
  /** Stops the chain and writes its state. */
  stop(): Promise<void>;
}

/** The id of BNB Smart Chain: transactions are signed exactly as there. */
export const CHAIN_ID = 56;
/** Blocks are final after two of these: a few seconds instead of a minute. */
const SLOTS_IN_AN_EPOCH = 2;
/**
 * States of earlier blocks, in memory. Balances are read at the final block, a few back; without this the program writes
 * each block's state below the home of whoever runs it and leaves it there (63 GB after a day of tests).
 */
const KEPT_STATES = 100;
const START_LIMIT_MS = 20_000;
/** How often transactions that the program left out are sought. */
const LEFT_OUT_EVERY_MS = 200;

/** Runs a real EVM chain on loopback (anvil). Only accounts funded by its callers have coin. */
export async function startChain({ port, blockSeconds, stateFile }: ChainOptions): Promise<LocalChain> {
  const flags = [
    ['--port', String(port)],
    ['--chain-id', String(CHAIN_ID)],
    ['--slots-in-an-epoch', String(SLOTS_IN_AN_EPOCH)],
    blockSeconds === null ? [] : ['--block-time', String(blockSeconds)],
    stateFile === null ? [] : ['--state', stateFile, '--state-interval', '5'],
    ['--prune-history', String(KEPT_STATES)],
    ['--silent', '--no-cors', '--accounts', '1'],
  ].flat();
  const child = spawn(anvil(), flags, { stdio: ['ignore', 'ignore', 'inherit'] });
  // The chain ends with this process, whatever ends it.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  let isStopping = false;
  const lost = new Promise<void>((resolve) => {
    child.once('exit', () => {
      process.off('exit', end);
      if (!isStopping) resolve();
    });
  });
  const url = `http://127.0.0.1:${port}`;
  await waitForBlocks(url, child);
  const stopping = new AbortController();
  const seeking = admitLeftOut(url, stopping.signal);
  return {
    url,
    lost,
    async stop() {
      isStopping = true;
      stopping.abort();
      await seeking;
      if (child.exitCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/** The program itself: its wrapper script would be another process to stop. */
function anvil(): string {
  const { platform, arch } = process;
  const name = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`;
  return createRequire(import.meta.url).resolve(`${name}/bin/anvil`);
}

async function waitForBlocks(url: string, child: ChildProcess): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error('the local chain ended before it answered');
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    if (answer?.ok) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error('the local chain did not answer');
}

/**
 * Sends again the transactions that the program accepts and never mines. One that arrives while the block of
 * the transaction before it is made can be kept as if that one were still missing (3 of 1,500 times three at
 * once on a busy machine).
 */
async function admitLeftOut(url: string, stopped: AbortSignal): Promise<void> {
  const chain = createTestClient({ chain: bsc, transport: http(url), mode: 'anvil' }).extend(publicActions);
  const bytesOf = ({ hash }: { hash: Hash }) =>
    chain.request<{ Method: 'eth_getRawTransactionByHash'; Parameters: [Hash]; ReturnType: Hex }>({
      method: 'eth_getRawTransactionByHash',
      params: [hash],
    });
  const admit = async (address: Address, queued: Record<string, { hash: Hash }>) => {
    if (!queued[await chain.getTransactionCount({ address })]) return;
    const all = await Promise.all(Object.values(queued).map(bytesOf));
    await chain.request<{ Method: 'anvil_removePoolTransactions'; Parameters: [Address]; ReturnType: null }>({
      method: 'anvil_removePoolTransactions',
      params: [address],
    });
    for (const serializedTransaction of all) await chain.sendRawTransaction({ serializedTransaction });
  };
  while (!stopped.aborted) {
    await sleep(LEFT_OUT_EVERY_MS, null, { signal: stopped, ref: false }).catch(() => {});
    // A busy program, or one that ends, is asked again.
    const pool = await chain.getTxpoolContent().catch(() => null);
    for (const [address, queued] of Object.entries(pool?.queued ?? {}))
      await admit(address as Address, queued).catch(() => {});
  }
}
