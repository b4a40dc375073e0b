import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ChainOptions {
  port: number;
  /** Seconds between blocks; null: a block for each transaction, at once. */
  blockSeconds: number | null;
  /** File that keeps the chain from one start to the next; null: it is forgotten. */
  stateFile: string | null;
}

export interface LocalChain {
  url: string;
  /** Ends the chain and writes its state. */
  stop(): Promise<void>;
}

/** Of BNB Smart Chain: what is signed here is signed as there. */
export const CHAIN_ID = 56;
/** Blocks are final after two of these: a few seconds, and not a minute. */
const SLOTS_IN_AN_EPOCH = 2;
const START_LIMIT_MS = 20_000;

/** Runs a real EVM chain on loopback (anvil), with accounts of nobody but whom its callers fund. */
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
  // However this process ends, it leaves no chain behind.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const url = `http://127.0.0.1:${port}`;
  await waitForBlocks(url, child);
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/** The program itself: the script around it would be another process to stop. */
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
