import { mostOf } from '@copydesk/domain/money';
import { z } from 'zod';
import { GatewayError } from '../../gateway.ts';
import type { CoinBalance, PoolBalances, WalletBalance } from '../../pool-records.ts';
import { isZero } from '../../shapes/decimal-text.ts';
import { decimal, optionalDecimal, readShape } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { unlessClassic } from '../bybit-classic.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { COIN, optionalUnits, units } from './pool-shapes.ts';

const coinName = z.object({ coin: z.string() });

const unifiedAnswer = z.object({
  result: z.object({
    list: z.tuple([z.object({ accountType: z.literal('UNIFIED'), coin: z.array(z.unknown()) })]),
  }),
});
const unifiedUsdt = z.object({
  walletBalance: units,
  bonus: units,
  borrowAmount: units,
  spotBorrow: optionalUnits,
  unrealisedPnl: units,
});
const unifiedCoin = z.object({
  coin: z.string(),
  walletBalance: decimal,
  equity: decimal,
  borrowAmount: optionalDecimal,
  usdValue: optionalDecimal,
});

const fundingAnswer = z.object({
  result: z.object({ accountType: z.literal('FUND'), balance: z.array(z.unknown()) }),
});
const fundingUsdt = z.object({ walletBalance: units, bonus: optionalUnits });
const fundingCoin = z.object({ coin: z.string(), walletBalance: decimal });

/** USDT of a wallet, with what is borrowed. */
type Usdt = WalletBalance & { borrowedUnits: bigint };
type UnifiedUsdt = PoolBalances['unified'] & Usdt;

const NOTHING: UnifiedUsdt = { ownUnits: 0n, borrowedUnits: 0n, unrealizedUnits: 0n };

interface Wallet<B> {
  usdt: B;
  others: CoinBalance[];
}

/** The amount by which a figure is below zero; 0 when it is not. */
const negated = (figure: string): string => (figure.startsWith('-') ? figure.slice(1) : '0');
/** The first debt that the venue shows, by whichever figure. */
const owedText = (debts: readonly string[]): string => debts.find((debt) => !isZero(debt)) ?? '0';

/** Splits the rows of a wallet into USDT, which may be missing when there is none, and the rest. */
function splitCoins(rows: readonly unknown[]): { usdt: unknown; others: unknown[] } {
  const isUsdt = (each: unknown) => readShape(coinName, each).coin === COIN;
  const [usdt, ...repeated] = rows.filter(isUsdt);
  if (repeated.length > 0) throw new GatewayError('bad_response');
  return { usdt, others: rows.filter((each) => !isUsdt(each)) };
}

/**
 * The wallet includes bonuses and money borrowed for spot (`spotBorrow`): neither belongs to the account. Coins
 * without assets and debts are not listed.
 * @param answer of GET /v5/account/wallet-balance
 * @throws GatewayError bad_response when something is borrowed and the venue does not say for which purpose
 */
export function readBybitUnified(answer: unknown): Wallet<UnifiedUsdt> {
  const [{ coin: rows }] = readShape(unifiedAnswer, answer).result.list;
  const { usdt, others } = splitCoins(rows);
  return {
    usdt: usdt === undefined ? NOTHING : toUnified(readShape(unifiedUsdt, usdt)),
    others: others
      .map((each) => readShape(unifiedCoin, each))
      .filter((row) => [row.walletBalance, row.equity, row.borrowAmount ?? '0'].some((held) => !isZero(held)))
      .map(({ coin, walletBalance, equity, borrowAmount, usdValue }) => ({
        coin,
        wallet: 'unified',
        amount: walletBalance,
        owed: owedText([borrowAmount ?? '0', negated(equity), negated(walletBalance)]),
        usd: usdValue,
      })),
  };
}

function toUnified(from: z.infer<typeof unifiedUsdt>): UnifiedUsdt {
  if (from.spotBorrow === null && from.borrowAmount !== 0n) throw new GatewayError('bad_response');
  return {
    ownUnits: from.walletBalance - (from.spotBorrow ?? 0n) - from.bonus,
    borrowedUnits: from.borrowAmount,
    unrealizedUnits: from.unrealisedPnl,
  };
}

/** Bonuses belong to trading; the funding wallet leaves the field empty. @param answer of GET /v5/asset/transfer/query-account-coins-balance */
export function readBybitFunding(answer: unknown): Wallet<Usdt> {
  const { usdt, others } = splitCoins(readShape(fundingAnswer, answer).result.balance);
  const own = usdt === undefined ? null : readShape(fundingUsdt, usdt);
  return {
    usdt: { ownUnits: (own?.walletBalance ?? 0n) - (own?.bonus ?? 0n), borrowedUnits: 0n },
    others: others
      .map((each) => readShape(fundingCoin, each))
      .filter(({ walletBalance }) => !isZero(walletBalance))
      .map(({ coin, walletBalance }) => ({
        coin,
        wallet: 'funding',
        amount: walletBalance,
        owed: owedText([negated(walletBalance)]),
        usd: null,
      })),
  };
}

/** A debt of derivatives is borrowed and makes the wallet negative: it counts once. */
const owedOf = ({ ownUnits, borrowedUnits }: Usdt): bigint =>
  mostOf(ownUnits < 0n ? -ownUnits : 0n, borrowedUnits);

export async function readBybitBalances(session: Session): Promise<Omit<PoolBalances, 'readAt'>> {
  const [funding, unified] = await Promise.all([
    session.call(BYBIT_POOL.fundingBalance, { accountType: 'FUND', withBonus: 1 }).then(readBybitFunding),
    unlessClassic(
      session,
      async () => readBybitUnified(await session.call(BYBIT_POOL.walletBalance, { accountType: 'UNIFIED' })),
      true,
    ),
  ]);
  const { borrowedUnits: _funding, ...fundingUsdt } = funding.usdt;
  const { borrowedUnits: _unified, ...unifiedUsdt } = unified.usdt;
  return {
    funding: fundingUsdt,
    unified: unifiedUsdt,
    totalUnits: funding.usdt.ownUnits + unified.usdt.ownUnits,
    owedUnits: owedOf(funding.usdt) + owedOf(unified.usdt),
    otherCoins: [...funding.others, ...unified.others],
  };
}
