import { z } from 'zod';
import { type DecimalText, GatewayError } from '../gateway.ts';
import { Amount, isZero } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, readShape } from '../shapes/read-shape.ts';
import { isDollar } from '../shapes/settlement.ts';
import type { Session } from '../venue.ts';
import { masterAddress } from './hyperliquid-account.ts';
import type { HyperliquidDexes } from './hyperliquid-dexes.ts';
import { HYPERLIQUID } from './hyperliquid-endpoints.ts';
import { hyperliquidValue } from './hyperliquid-state.ts';

const spotState = z.object({
  balances: z.array(z.object({ coin: z.string(), total: decimal, borrowed: optionalDecimal })),
});
type Balance = z.infer<typeof spotState>['balances'][number];

/** The answer is a lone JSON string, which ccxt returns with its quotes. */
const modeAnswer = z.string().transform((text) => text.replace(/^"(.*)"$/, '$1'));

/**
 * The modes of an account. `apart`: perpetual dexes and spot have separate balances; `dexAbstraction` only moves
 * collateral between dexes. `pooled`: one balance for each token, in the spot state, and states of the dexes have no
 * meaning of their own.
 */
export const HYPERLIQUID_MODES = {
  default: 'apart',
  disabled: 'apart',
  dexAbstraction: 'apart',
  unifiedAccount: 'pooled',
  portfolioMargin: 'pooled',
} as const satisfies Record<string, 'apart' | 'pooled'>;

const isKnown = (mode: string): mode is keyof typeof HYPERLIQUID_MODES =>
  Object.hasOwn(HYPERLIQUID_MODES, mode);

const sumOf = (amounts: readonly DecimalText[]): DecimalText =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Amount(0)).toFixed();

/**
 * Equity of a pooled account: its dollars in spot, which include margin on hold and open profit. Other tokens back no
 * perpetual of a unified account. In portfolio margin they do, and the answer does not give the value of these tokens
 * and of debts.
 * @throws GatewayError unsupported_account_mode for such an account
 */
function pooledEquity(mode: string, balances: readonly Balance[]): DecimalText {
  const isMixed = balances.some(({ coin, total, borrowed }) => {
    const isOwed = borrowed !== null && !isZero(borrowed);
    return isOwed || (mode === 'portfolioMargin' && !isDollar(coin) && !isZero(total));
  });
  if (isMixed) throw new GatewayError('unsupported_account_mode');
  return sumOf(balances.filter(({ coin }) => isDollar(coin)).map(({ total }) => total));
}

/**
 * Equity of the perpetuals account in USD: the sum over its dexes, or the spot balance for a pooled account. The mode
 * decides, and is read only where it matters: without any spot balance both results are the same.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/trading/account-abstraction-modes
 * @throws GatewayError unsupported_account_mode for an unknown mode
 */
export async function readHyperliquidEquityUsd(
  session: Session,
  dexes: HyperliquidDexes,
): Promise<DecimalText> {
  const user = masterAddress(session);
  const [states, spot] = await Promise.all([
    dexes.readStates(session),
    session.call(HYPERLIQUID.spotState, { type: 'spotClearinghouseState', user }),
  ]);
  const { balances } = readShape(spotState, spot);
  if (balances.some(({ total, borrowed }) => !isZero(total) || (borrowed !== null && !isZero(borrowed)))) {
    const answer = await session.call(HYPERLIQUID.mode, { type: 'userAbstraction', user });
    const mode = readShape(modeAnswer, answer);
    if (!isKnown(mode)) throw new GatewayError('unsupported_account_mode');
    if (HYPERLIQUID_MODES[mode] === 'pooled') return pooledEquity(mode, balances);
  }
  return sumOf(states.map(({ state, collateral }) => hyperliquidValue(state, collateral)));
}
