import { splitInvoice } from '@copydesk/domain';
import type { DemoProvider } from './directory.ts';
import { createRandom, type Random } from './random.ts';
import type { DemoAccount, DemoTrader } from './trader.ts';

export interface DemoPosition {
  id: string;
  account: DemoAccount;
  venueId: string;
  symbol: string;
  side: 'long' | 'short';
  entryPrice: string;
  exitPrice: string;
  leverage: number;
  contracts: string;
  pnlCents: number;
  openedAt: Date;
  closedAt: Date;
  invoiceId: string | null;
}

export interface DemoInvoice {
  id: string;
  providerId: string;
  exchange: string;
  amountUnits: bigint;
  paidUnits: bigint;
  status: 'pending' | 'paid' | 'cancelled';
  settledBy: 'chain' | 'manual' | null;
  isArchived: boolean;
  commissionRate: string;
  split: { recipientType: string; amountUnits: bigint }[];
  createdAt: Date;
  dueAt: Date;
  paidAt: Date | null;
}

const DAY_MS = 86_400_000;
const SYMBOLS = [
  ['BTCUSDT', 64_000],
  ['ETHUSDT', 3_100],
  ['SOLUSDT', 150],
  ['XRPUSDT', 0.6],
  ['DOGEUSDT', 0.14],
  ['LINKUSDT', 15],
] as const;

/** The closed positions of a trader over 9 months, and about three invoices a month on the profit of each provider's. */
export function createHistory(trader: DemoTrader, providers: DemoProvider[], now: Date) {
  const random = createRandom(77_777 + trader.index * 104_729);
  const ageDays = (now.getTime() - trader.createdAt.getTime()) / DAY_MS;
  const positions: DemoPosition[] = [];
  if (trader.status !== 'pending')
    for (const account of trader.accounts) {
      const count = Math.round((ageDays / 270) * random.integer(10, 40));
      for (let n = 0; n < count; n++) positions.push(createPosition(random, account, n, ageDays, now));
    }
  return { positions, invoices: createInvoices(random, trader, positions, providers, now) };
}

function createPosition(
  random: Random,
  account: DemoAccount,
  n: number,
  ageDays: number,
  now: Date,
): DemoPosition {
  const [symbol, price] = random.pick(SYMBOLS);
  const side = random.chance(0.55) ? 'long' : 'short';
  const entry = price * (0.8 + random.next() * 0.4);
  const move = (random.next() - 0.42) * 0.08;
  const exit = entry * (1 + (side === 'long' ? move : -move));
  const notional = 200 + random.next() * 9_000;
  const closedAt = new Date(now.getTime() - random.next() * ageDays * DAY_MS);
  return {
    id: random.uuid(),
    account,
    venueId: `${account.accUid}-${n}`,
    symbol,
    side,
    entryPrice: entry.toFixed(4),
    exitPrice: exit.toFixed(4),
    leverage: random.pick([2, 3, 5, 10, 20]),
    contracts: (notional / entry).toFixed(6),
    pnlCents: Math.round(notional * move * 100),
    openedAt: new Date(closedAt.getTime() - random.integer(1, 96) * 3_600_000),
    closedAt,
    invoiceId: null,
  };
}

function createInvoices(
  random: Random,
  trader: DemoTrader,
  positions: DemoPosition[],
  providers: DemoProvider[],
  now: Date,
): DemoInvoice[] {
  const runs = new Map<string, DemoPosition[]>();
  for (const position of positions) {
    if (position.pnlCents <= 0) continue;
    const [year, month, day] = position.closedAt.toISOString().slice(0, 10).split('-');
    const key = `${position.account.providerId} ${year}-${month} ${Math.ceil(Number(day) / 10)}`;
    runs.set(key, [...(runs.get(key) ?? []), position]);
  }
  const invoices: DemoInvoice[] = [];
  for (const run of runs.values()) {
    const first = run[0];
    if (!first) continue;
    const last = Math.max(...run.map((position) => position.closedAt.getTime()));
    const createdAt = new Date(Math.min(last + DAY_MS, now.getTime() - 60_000));
    if (last > now.getTime() - 2 * DAY_MS) continue; // not invoiced yet
    const cents = run.reduce((sum, position) => sum + position.pnlCents, 0);
    const provider = providers.find(({ id }) => id === first.account.providerId);
    // Half of the profit: a cent is 10^16 base units, so half a cent is whole as well.
    const amountUnits = BigInt(cents) * 5n * 10n ** 15n;
    const invoice = createInvoice(random, trader, amountUnits, provider, first.account, createdAt, now);
    for (const position of run) position.invoiceId = invoice.id;
    invoices.push(invoice);
  }
  return invoices;
}

function createInvoice(
  random: Random,
  trader: DemoTrader,
  amountUnits: bigint,
  provider: DemoProvider | undefined,
  account: DemoAccount,
  createdAt: Date,
  now: Date,
): DemoInvoice {
  const ageDays = (now.getTime() - createdAt.getTime()) / DAY_MS;
  const paidChance = trader.status === 'delinquent' ? 0.45 : 0.9;
  const status = random.chance(0.02) ? 'cancelled' : random.chance(paidChance) ? 'paid' : 'pending';
  const settledBy = status === 'paid' ? (random.chance(0.9) ? 'chain' : 'manual') : null;
  const isPartPaid = status === 'pending' && random.chance(0.15);
  return {
    id: random.uuid(),
    providerId: account.providerId,
    exchange: account.exchange,
    amountUnits,
    paidUnits: settledBy === 'chain' ? amountUnits : isPartPaid ? amountUnits / 3n : 0n,
    status,
    settledBy,
    isArchived: ageDays > 200 && random.chance(0.2),
    commissionRate: trader.community.commissionRate,
    split:
      splitInvoice(amountUnits, {
        providerShare: provider?.split ?? null,
        communityPercentage: trader.community.splitPercentage,
        hasCommunityReferrer: trader.community.referrerAddress !== null,
        traderReferralPercentage: null,
      }) ?? [],
    createdAt,
    dueAt: new Date(createdAt.getTime() + 3 * DAY_MS),
    paidAt:
      status === 'paid'
        ? new Date(Math.min(createdAt.getTime() + random.next() * 4 * DAY_MS, now.getTime()))
        : null,
  };
}
