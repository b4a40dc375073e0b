import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { PoolState } from './pool-state.ts';

/** The state that a restart needs: the accounts, and the last block whose deposits they have. */
export interface SavedPools {
  pools: PoolState[];
  lastBlock: bigint | null;
}

const BIG = /^n:-?\d+$/;

/** JSON with a `bigint` as text, as in `n:25`. */
const writeState = (state: SavedPools): string =>
  JSON.stringify(state, (_key, value) => (typeof value === 'bigint' ? `n:${value}` : value));

const readState = (text: string): SavedPools =>
  JSON.parse(text, (_key, value) =>
    typeof value === 'string' && BIG.test(value) ? BigInt(value.slice(2)) : value,
  ) as SavedPools;

/** The saved state; null: there is none. */
export function loadState(file: string | null): SavedPools | null {
  if (file === null) return null;
  try {
    return readState(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the file as a whole: a killed process leaves the old one or the new one. */
export function saveState(file: string | null, state: SavedPools): void {
  if (file === null) return;
  writeFileSync(`${file}.new`, writeState(state));
  renameSync(`${file}.new`, file);
}
