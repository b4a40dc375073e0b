import { EXCHANGES, type Exchange, LANGUAGES, type TraderStatus } from '@copydesk/domain';
import type { DemoCommunity, DemoProvider } from './directory.ts';
import { createRandom, type Random } from './random.ts';
import { telegramUserIdOf } from './telegram-chats.ts';

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
  /** The referrer, a trader of the same community with a payout address. */
  referrerId: string | null;
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
  return { ...trader, referrerId: findReferrer(trader, directory, now) };
}

/** How many preceding traders are searched for a referrer in the same community. */
const REFERRERS = 40;

function findReferrer({ index, community }: Unreferred, directory: Directory, now: Date): string | null {
  if (!createRandom(index * 31 + 5).chance(0.06)) return null;
  for (let before = index - 1; before > 0 && before >= index - REFERRERS; before--) {
    const other = drawTrader(before, directory, now);
    if (other.community.id === community.id && other.payoutAddress !== null) return other.id;
  }
  return null;
}

type Unreferred = Omit<DemoTrader, 'referrerId'>;

function drawTrader(index: number, directory: Directory, now: Date): Unreferred {
  const random = createRandom(1_000_003 + index * 7919);
  const id = random.uuid();
  const drawn = directory.communities[random.integer(0, directory.communities.length - 1)] as DemoCommunity;
  const community = drawn.stage === 'empty' ? (directory.communities[index % 8] as DemoCommunity) : drawn;
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
    payoutAddress: random.chance(0.6) ? `0x${random.hex(40)}` : null,
    createdAt: new Date(now.getTime() - random.integer(2, 270) * DAY_MS - random.integer(0, DAY_MS)),
    accounts: createAccounts(random, index, status, community, providerId),
  };
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
