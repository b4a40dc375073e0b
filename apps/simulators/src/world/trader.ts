import { EXCHANGES, type Exchange, LANGUAGES } from '@copydesk/domain/catalogue';
import type { TraderSource, TraderStatus } from '@copydesk/domain/traders';
import type { DemoCommunity, DemoProvider } from './directory.ts';
import { createRandom, type Random } from './random.ts';
import { telegramUserIdOf } from './telegram-chats.ts';
import { strangersWallet } from './wallets.ts';

export interface DemoAccount {
  id: string;
  providerId: string;
  exchange: Exchange;
  accUid: string;
  accountType: 'master' | 'subaccount';
  masterAddress: string | null;
  equity: string | null;
}

export interface DemoTrader {
  id: string;
  index: number;
  community: DemoCommunity;
  providerId: string;
  status: TraderStatus;
  referenceNumber: string | null;
  name: string | null;
  email: string | null;
  telegram: string | null;
  telegramUserId: string | null;
  language: string;
  referralCode: string;
  depositAddress: string;
  payoutAddress: string | null;
  createdAt: Date;
  accounts: DemoAccount[];
  /** The referrer: a trader of the same community who joined before and has a payout address. */
  referrerId: string | null;
  /** Who added it; null: before this was recorded. */
  source: TraderSource | null;
}

const FIRST =
  'Ada Bruno Chen Dario Elif Femi Greta Hugo Iris Jonas Kira Luis Mina Noor Omar Pia Quinn Rosa Sami Tara Uma Vera Wim Xenia Yara Zoe'.split(
    ' ',
  );
const LAST =
  'Abadi Berg Costa Duran Eze Fischer Garcia Haddad Ivanov Jansen Kowalski Lopez Moreau Nowak Okafor Petrov Rossi Santos Tanaka Umarov Vidal Weiss Yilmaz Zieba'.split(
    ' ',
  );
const DAY_MS = 86_400_000;
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

interface Directory {
  providers: DemoProvider[];
  communities: DemoCommunity[];
}

/** A trader by number: computed from the number alone, so any part of the world can be generated separately. */
export function createTrader(index: number, directory: Directory, now: Date): DemoTrader {
  const trader = drawTrader(index, directory, now);
  return {
    ...trader,
    referrerId: findReferrer(trader, directory, now),
    source: drawSource(trader, now),
  };
}

/** Traders with a multiple of this as their number refer others, and were often referred themselves: trees grow deep. */
const RECRUITERS = 3;
/** How many preceding recruiters are searched for one of the same community. */
const SEARCHED = 80;

function findReferrer(trader: Unreferred, directory: Directory, now: Date): string | null {
  const { index, community, createdAt } = trader;
  const isRecruiter = index % RECRUITERS === 0;
  if (!createRandom(index * 31 + 5).chance(isRecruiter ? 0.8 : 0.16)) return null;
  const nearest = Math.floor((index - 1) / RECRUITERS);
  for (let nth = nearest; nth > 0 && nth > nearest - SEARCHED; nth--) {
    if (drawIdentity(nth * RECRUITERS, directory).community.id !== community.id) continue;
    const other = drawTrader(nth * RECRUITERS, directory, now);
    if (other.payoutAddress !== null && other.createdAt < createdAt) return other.id;
  }
  return null;
}

/** Sources are recorded for as long. */
const RECORDED_DAYS = 240;

/** The community of beginners has a bot, which adds most of its traders. Elsewhere programs add most. */
function drawSource(
  { index, community, telegramUserId, createdAt }: Unreferred,
  now: Date,
): TraderSource | null {
  if (now.getTime() - createdAt.getTime() > RECORDED_DAYS * DAY_MS) return null;
  const random = createRandom(index * 37 + 11);
  if (community.stage === 'beginning' && telegramUserId !== null && random.chance(0.7)) return 'bot';
  return random.chance(0.65) ? 'program' : 'staff';
}

type Unreferred = Omit<DemoTrader, 'referrerId' | 'source'>;

function drawTrader(index: number, directory: Directory, now: Date): Unreferred {
  const { random, id, community } = drawIdentity(index, directory);
  const providerId = random.pick(community.providerIds);
  const anyStatus = random.pick([
    'pending',
    'connected',
    'connected',
    'connected',
    'delinquent',
    'pending',
  ] as const);
  const status = community.stage === 'beginning' ? 'pending' : anyStatus;
  const first = random.pick(FIRST);
  const last = random.pick(LAST);
  const hasTelegram = random.chance(0.88);
  return {
    id,
    index,
    community,
    providerId,
    status,
    referenceNumber: random.chance(0.94) ? `KAIT-${(100_000 + index).toString()}` : null,
    name: random.chance(0.93) ? `${first} ${last}` : null,
    email: random.chance(0.7) ? `${first}.${last}${index}@mail.example`.toLowerCase() : null,
    telegram: hasTelegram ? `${first}_${last}${index}`.toLowerCase() : null,
    telegramUserId: hasTelegram ? telegramUserIdOf(index) : null,
    language: random.pick(LANGUAGES),
    referralCode: referralCode(index),
    depositAddress: `0x${random.hex(40)}`,
    payoutAddress: random.chance(0.6) ? strangersWallet(random.hex(40)) : null,
    createdAt: new Date(now.getTime() - random.integer(2, 270) * DAY_MS - random.integer(0, DAY_MS)),
    accounts: createAccounts(random, index, status, community, providerId),
  };
}

/** The part of a trader that is drawn first. */
function drawIdentity(index: number, { communities }: Directory) {
  const random = createRandom(1_000_003 + index * 7919);
  const id = random.uuid();
  const drawn = communities[random.integer(0, communities.length - 1)] as DemoCommunity;
  const community = drawn.stage === 'empty' ? (communities[index % 8] as DemoCommunity) : drawn;
  return { random, id, community };
}

function createAccounts(
  random: Random,
  index: number,
  status: TraderStatus,
  community: DemoCommunity,
  providerId: string,
): DemoAccount[] {
  const none = status === 'pending' ? 0.35 : 0.05;
  const drawn = random.chance(none) ? 0 : random.pick([1, 1, 1, 1, 2, 2, 3]);
  const count = community.stage === 'beginning' ? 0 : drawn;
  return Array.from({ length: count }, (_, nth) => {
    const exchange = random.pick(EXCHANGES);
    const masterAddress = exchange === 'hyperliquid' ? `0x${random.hex(40)}` : null;
    // Most balances are small and a few are large, as in reality.
    const equity = Math.exp(4 + random.next() * random.next() * 9);
    return {
      id: random.uuid(),
      providerId: nth === 0 ? providerId : random.pick(community.providerIds),
      exchange,
      accUid: masterAddress ?? String(10_000_000 + index * 10 + nth),
      accountType: random.chance(0.7) ? ('master' as const) : ('subaccount' as const),
      masterAddress,
      equity: random.chance(0.97) ? (community.archivedAt ? '0.00' : equity.toFixed(2)) : null,
    };
  });
}

/** Unique by construction: the index in the code's alphabet. */
function referralCode(index: number): string {
  let code = '';
  for (let rest = index; code.length < 8; rest = Math.floor(rest / ALPHABET.length))
    code = ALPHABET[rest % ALPHABET.length] + code;
  return code;
}
