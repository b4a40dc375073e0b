import { z } from 'zod';
import { GatewayError } from '../gateway.ts';
import { type ContractFacts, createContractFacts } from '../reads/contract-facts.ts';
import { plainNumber, readShape } from '../shapes/read-shape.ts';
import type { Session } from '../venue.ts';
import { masterAddress } from './hyperliquid-account.ts';
import { HYPERLIQUID } from './hyperliquid-endpoints.ts';
import { type HyperliquidState, isEmptyState, readHyperliquidState } from './hyperliquid-state.ts';

/** The venue's own dex is null in the list. */
const dexList = z.array(z.object({ name: z.string().min(1) }).nullable());
const dexMeta = z.object({ collateralToken: plainNumber });

/** A new dex is read after this long. */
const DEXES_TTL_MS = 10 * 60_000;

/**
 * Collateral tokens of dexes, by their index in `spotMeta` of the main network.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/spot
 */
const TOKENS: Readonly<Record<number, string>> = { 0: 'USDC', 235: 'USDE', 268: 'USDT0', 360: 'USDH' };

/** An account's holdings on one dex. */
export interface DexState {
  state: HyperliquidState;
  /** The settlement currency of the dex; null: not known. */
  collateral: string | null;
}

export interface HyperliquidDexes {
  /** An account's holdings on the venue's own dex and on those of HIP-3, without empty HIP-3 ones. */
  readStates(session: Session): Promise<DexState[]>;
}

/** @param answer of meta; null for a dex that the venue does not know */
export const readHyperliquidCollateral = (answer: unknown): string | null =>
  TOKENS[readShape(dexMeta, answer).collateralToken] ?? null;

async function askState(session: Session, dex: string | null): Promise<HyperliquidState> {
  const user = masterAddress(session);
  const question = { type: 'clearinghouseState', user, ...(dex !== null && { dex }) };
  return readHyperliquidState(await session.call(HYPERLIQUID.state, question));
}

/** An unreadable answer leaves the collateral unknown; a venue that is busy or down is an error. */
async function askCollateral(session: Session, dex: string): Promise<string | null> {
  try {
    return readHyperliquidCollateral(await session.callPublic(HYPERLIQUID.dexMeta, { type: 'meta', dex }));
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'bad_response') return null;
    throw error;
  }
}

/**
 * The perpetual dexes of the venue: its own and third-party ones (HIP-3), each with separate balances and positions.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/perpetuals
 */
export function createHyperliquidDexes(): HyperliquidDexes {
  const names: ContractFacts<true> = createContractFacts(async (session) => {
    const listed = readShape(dexList, await session.callPublic(HYPERLIQUID.dexes, { type: 'perpDexs' }));
    return new Map(listed.flatMap((dex) => (dex === null ? [] : [[dex.name, true] as const])));
  }, DEXES_TTL_MS);
  const collaterals = new Map<string, string>();

  async function collateralOf(session: Session, dex: string): Promise<string | null> {
    const known = collaterals.get(dex);
    if (known !== undefined) return known;
    const collateral = await askCollateral(session, dex);
    // It never changes for an existing dex.
    if (collateral !== null) collaterals.set(dex, collateral);
    return collateral;
  }

  async function readDex(session: Session, dex: string): Promise<DexState[]> {
    const state = await askState(session, dex);
    return isEmptyState(state) ? [] : [{ state, collateral: await collateralOf(session, dex) }];
  }

  return {
    async readStates(session) {
      const [own, others] = await Promise.all([
        askState(session, null),
        names
          .list(session)
          .then((listed) => Promise.all([...listed.keys()].map((dex) => readDex(session, dex)))),
      ]);
      return [{ state: own, collateral: 'USDC' }, ...others.flat()];
    },
  };
}
