import { splitInvoice } from '@copydesk/domain/invoices';
import { FEE_RATE, FEES_INCLUDED, rounded } from './amounts.ts';
import type { DemoProvider } from './directory.ts';
import { INSTRUMENTS } from './instruments.ts';
import { createRandom, type Random, seedOf } from './random.ts';
import type { DemoAccount, DemoTrader } from './trader.ts';
import { createVenueIds, type VenueIds, venueIdOf } from './venue-ids.ts';

export interface DemoPosition extends VenueIds {
  id: string;
  account: DemoAccount;
  /** The venue's id for it, as our readers derive it. */
  venueId: string;
  symbol: string;
  side: 'long' | 'short';
  entryPrice: string;
  exitPrice: string;
  leverage: number;
  contracts: string;
  /** The venue's figure: after fees on some, before them on others (FEES_INCLUDED). */
  pnlCents: number;
  openFeeCents: number;
  closeFeeCents: number;
  openedAt: Date;
  closedAt: Date;
  invoiceId: string | null;
}

export interface DemoInvoice {
  id: string;
  /** null: the provider behind the profit is unknown. */
  providerId: string | null;
  type: 'regular' | 'exchange_bot';
  /** Null when the positions are of several exchanges. */
  exchange: string | null;
  amountUnits: bigint;
  /** A payment above the amount: the excess, a tip. */
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
/** The closed positions of a trader over 9 months, and about five invoices a month on their profit. */
export function createHistory(trader: DemoTrader, providers: DemoProvider[], now: Date) {
  const random = createRandom(77_777 + trader.index * 104_729);
  const positions = drawPositions(random, trader, now);
  return { positions, invoices: createInvoices(random, trader, positions, providers, now) };
}

/** The positions of createHistory alone, which are cheap: no invoice is computed. */
export function createPositions(trader: DemoTrader, now: Date): DemoPosition[] {
  return drawPositions(createRandom(77_777 + trader.index * 104_729), trader, now);
}

function drawPositions(random: Random, trader: DemoTrader, now: Date): DemoPosition[] {
  if (trader.status === 'pending') return [];
  const ageDays = (now.getTime() - trader.createdAt.getTime()) / DAY_MS;
  const end = trader.community.archivedAt ?? now;
  return trader.accounts.flatMap((account) => {
    const count = Math.round((ageDays / 270) * random.integer(10, 40));
    return Array.from({ length: count }, (_, n) => createPosition(random, account, n, ageDays, now)).filter(
      ({ closedAt }) => closedAt < end,
    );
  });
}

/**
 * Sizes and exit prices are multiples of the venue's steps. The entry is the average at which the profit is whole
 * cents: a reader that derives it from exit, profit and size (binance, hyperliquid) gets the same.
 */
function createPosition(
  random: Random,
  account: DemoAccount,
  n: number,
  ageDays: number,
  now: Date,
): DemoPosition {
  const { exchange } = account;
  const instrument = random.pick(INSTRUMENTS[exchange]);
  const side = random.chance(0.55) ? 'long' : 'short';
  const direction = side === 'long' ? 1 : -1;
  const around = instrument.anchorPrice * (0.8 + random.next() * 0.4);
  const move = (random.next() - 0.42) * 0.08;
  const size =
    Math.max(1, Math.round((200 + random.next() * 9_000) / around / instrument.lot)) * instrument.lot;
  const exit = rounded(around * (1 + direction * move), instrument.priceDecimals);
  const closedAt = new Date(now.getTime() - random.next() * ageDays * DAY_MS);
  const id = random.uuid();
  const leverage = random.pick([2, 3, 5, 10, 20]);
  const openedAt = new Date(closedAt.getTime() - random.integer(1, 96) * 3_600_000);
  // Never zero: on binance only the profit distinguishes a closing fill from an opening one.
  const pnlCents = Math.round(size * around * move * 100) || 1;
  const openFeeCents = Math.round(size * around * FEE_RATE * 100);
  const closeFeeCents = Math.round(size * exit * FEE_RATE * 100);
  const grossCents = pnlCents + (FEES_INCLUDED[exchange] ? openFeeCents + closeFeeCents : 0);
  const ids = createVenueIds(exchange, seedOf(account.id), n, openedAt.getTime(), closedAt.getTime());
  return {
    id,
    account,
    ...ids,
    venueId: venueIdOf(exchange, ids, instrument.symbol, closedAt.getTime()),
    symbol: instrument.symbol,
    side,
    entryPrice: (exit - (direction * grossCents) / 100 / size).toFixed(8),
    exitPrice: exit.toFixed(instrument.priceDecimals),
    leverage,
    contracts: size.toFixed(instrument.lotDecimals),
    pnlCents,
    openFeeCents,
    closeFeeCents,
    openedAt,
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
    const key = `${year}-${month} ${Math.ceil(Number(day) / 6)}`;
    runs.set(key, [...(runs.get(key) ?? []), position]);
  }
  const invoices: DemoInvoice[] = [];
  for (const run of runs.values()) {
    const last = Math.max(...run.map((position) => position.closedAt.getTime()));
    const createdAt = new Date(Math.min(last + DAY_MS, now.getTime() - 60_000));
    if (last > now.getTime() - 2 * DAY_MS) continue; // not invoiced yet
    const cents = run.reduce((sum, position) => sum + position.pnlCents, 0);
    const provider = providers.find(({ id }) => id === trader.providerId);
    const exchanges = new Set(run.map((position) => position.account.exchange));
    const exchange = exchanges.size === 1 ? ([...exchanges][0] ?? null) : null;
    // Half of the profit: a cent is 10^16 base units, so half a cent is whole as well.
    const amountUnits = BigInt(cents) * 5n * 10n ** 15n;
    const invoice = createInvoice(random, trader, amountUnits, provider, exchange, createdAt, now);
    for (const position of run) position.invoiceId = invoice.id;
    invoices.push(invoice);
  }
  return [...invoices, ...createOddInvoices(trader, now)];
}

/** One trader in this many bought access from its community's bot, and one owes an invoice without a known provider. */
const BUYERS = 24;
const UNKNOWN_PROVIDER = 37;

function createOddInvoices(trader: DemoTrader, now: Date): DemoInvoice[] {
  const random = createRandom(55_555 + trader.index * 7_919);
  const ageDays = (now.getTime() - trader.createdAt.getTime()) / DAY_MS;
  const odd = (type: DemoInvoice['type'], usdt: bigint, split: DemoInvoice['split'], isPaid: boolean) => {
    const createdAt = new Date(now.getTime() - Math.min(ageDays, 5 + random.next() * 80) * DAY_MS);
    const amountUnits = usdt * 10n ** 18n;
    return {
      // A source with 32 bits of state: in a world of millions it met that of another trader's invoices.
      id: `${random.uuid().slice(0, 24)}${trader.index.toString(16).padStart(12, '0')}`,
      providerId: null,
      type,
      exchange: null,
      amountUnits,
      paidUnits: isPaid ? amountUnits : 0n,
      // An order that is not paid in time is cancelled; an invoice stays due.
      status: isPaid
        ? ('paid' as const)
        : type === 'exchange_bot'
          ? ('cancelled' as const)
          : ('pending' as const),
      settledBy: isPaid ? ('chain' as const) : null,
      isArchived: false,
      commissionRate: trader.community.commissionRate,
      split,
      createdAt,
      dueAt: new Date(createdAt.getTime() + 3 * DAY_MS),
      paidAt: isPaid ? new Date(createdAt.getTime() + 3_600_000) : null,
    };
  };
  if (trader.community.archivedAt || trader.community.stage !== 'trading' || ageDays < 5) return [];
  if (trader.index % BUYERS === 0) {
    const price = random.pick([49n, 99n, 149n]);
    return [odd('exchange_bot', price, splitOfBot(price * 10n ** 18n), random.chance(0.8))];
  }
  if (trader.index === UNKNOWN_PROVIDER) {
    const { splitPercentage: communityPercentage } = trader.community;
    const terms = {
      providerShare: null,
      communityPercentage,
      hasCommunityReferrer: false,
      traderReferralPercentage: null,
    };
    return [odd('regular', 120n, splitInvoice(120n * 10n ** 18n, terms) ?? [], false)];
  }
  return [];
}

/** The split of a sale by a community's bot: 85 % for the community, the rest for the platform. */
function splitOfBot(units: bigint): DemoInvoice['split'] {
  const community = (units * 85n) / 100n;
  const half = (units - community) / 2n;
  return [
    { recipientType: 'community', amountUnits: community },
    { recipientType: 'hexmount', amountUnits: half },
    { recipientType: 'sixk', amountUnits: units - community - half },
  ];
}

function createInvoice(
  random: Random,
  trader: DemoTrader,
  amountUnits: bigint,
  provider: DemoProvider | undefined,
  exchange: string | null,
  createdAt: Date,
  now: Date,
): DemoInvoice {
  const ageDays = (now.getTime() - createdAt.getTime()) / DAY_MS;
  const paidChance = trader.community.archivedAt ? 1 : trader.status === 'delinquent' ? 0.45 : 0.9;
  const status = random.chance(0.02) ? 'cancelled' : random.chance(paidChance) ? 'paid' : 'pending';
  const settledBy = status === 'paid' ? (random.chance(0.9) ? 'chain' : 'manual') : null;
  // Some round up, and a person gets the excess.
  const tipUnits = createRandom(seedOf(`tip ${trader.id} ${createdAt.getTime()}`)).chance(0.04)
    ? (amountUnits / 20n / 10n ** 16n) * 10n ** 16n
    : 0n;
  const isPartPaid = status === 'pending' && random.chance(0.15);
  return {
    id: random.uuid(),
    providerId: trader.providerId,
    exchange,
    amountUnits,
    type: 'regular',
    paidUnits: settledBy === 'chain' ? amountUnits + tipUnits : isPartPaid ? amountUnits / 3n : 0n,
    status,
    settledBy,
    isArchived: ageDays > 200 && random.chance(0.2),
    commissionRate: trader.community.commissionRate,
    split:
      splitInvoice(amountUnits, {
        providerShare: provider?.split ?? null,
        communityPercentage: trader.community.splitPercentage,
        hasCommunityReferrer: trader.community.referrerAddress !== null,
        traderReferralPercentage: trader.referrerId ? trader.community.referralPercentage : null,
      }) ?? [],
    createdAt,
    dueAt: new Date(createdAt.getTime() + 3 * DAY_MS),
    paidAt:
      status === 'paid'
        ? new Date(Math.min(createdAt.getTime() + random.next() * 4 * DAY_MS, now.getTime()))
        : null,
  };
}
