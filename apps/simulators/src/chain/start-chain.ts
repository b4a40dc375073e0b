import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

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
const START_LIMIT_MS = 20_000;

/** Runs a real EVM chain on loopback (anvil). Only accounts funded by its callers have coin. */
export async function startChain({ port, blockSeconds, stateFile }: ChainOptions): Promise<LocalChain> {
  const flags = [
    ['--port', String(port)],
    ['--chain-id', String(CHAIN_ID)],
    ['--slots-in-an-epoch', String(SLOTS_IN_AN_EPOCH)],
    blockSeconds === null ? [] : ['--block-time', String(blockSeconds)],
    stateFile === null ? [] : ['--state', stateFile, '--state-interval', '5'],
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
  return {
    url,
    lost,
    async stop() {
      isStopping = true;
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
