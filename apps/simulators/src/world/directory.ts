import type { Exchange } from '@copydesk/domain/catalogue';
import { createRandom } from './random.ts';
import { demoCommunityWallet, strangersWallet } from './wallets.ts';

export interface DemoProvider {
  id: string;
  name: string;
  displayName: string;
  split: string;
  exchanges: Exchange[];
  createdAt: Date;
  payoutAddress: string;
}

export interface DemoCommunity {
  id: string;
  name: string;
  /** null: it is active. */
  archivedAt: Date | null;
  /** Its traders: `empty` has none, and those of `beginning` have connected no account yet. */
  stage: 'empty' | 'beginning' | 'trading';
  splitPercentage: string;
  referralPercentage: string;
  commissionRate: string;
  providerIds: string[];
  referrerAddress: string | null;
  externalAddress: string;
  internalAddress: string;
  createdAt: Date;
}

const DAY_MS = 86_400_000;

/** Accounts of the world are on any exchange, under any of these. */
const LISTED: Exchange[] = ['bybit', 'binance', 'okx', 'kucoin'];
const PROVIDERS: Omit<DemoProvider, 'id' | 'payoutAddress' | 'createdAt'>[] = [
  { name: 'aurora', displayName: 'Aurora Signals', split: '0.3500', exchanges: LISTED },
  { name: 'basalt', displayName: 'Basalt Capital', split: '0.4000', exchanges: [...LISTED, 'hyperliquid'] },
  { name: 'cobalt', displayName: 'Cobalt Quant', split: '0.3000', exchanges: LISTED },
  { name: 'dune', displayName: 'Dune Trading', split: '0.5000', exchanges: [...LISTED, 'hyperliquid'] },
];
/** Before the first community. */
const PROVIDERS_DAYS_AGO = 700;

const COMMUNITIES = [
  'Alpine Traders',
  'Blue Harbor',
  'Cedar Circle',
  'Delta Desk',
  'Evergreen Copy',
  'Falcon Futures',
  'Granite Group',
  'Horizon Club',
  'Indigo Room',
  'Juniper Syndicate',
  'Kestrel Lounge',
  'Lighthouse Pool',
];

/** The archived communities, with their age in days. */
const ARCHIVED_DAYS_AGO: Record<string, number> = { 'Kestrel Lounge': 45, 'Lighthouse Pool': 100 };
/** Communities without AUM: one without traders can be deleted, one whose traders connected nothing can be archived. */
const STAGES: Record<string, DemoCommunity['stage']> = {
  'Indigo Room': 'empty',
  'Juniper Syndicate': 'beginning',
};

/** The 4 providers and 12 communities of the demo world, 2 of them archived, each linked to 1 to 3 providers. */
export function createDirectory(now: Date): { providers: DemoProvider[]; communities: DemoCommunity[] } {
  const random = createRandom(11);
  const wallets = createRandom(12);
  const providers = PROVIDERS.map((provider) => ({
    ...provider,
    id: random.uuid(),
    payoutAddress: strangersWallet(wallets.hex(40)),
    createdAt: new Date(now.getTime() - PROVIDERS_DAYS_AGO * DAY_MS),
  }));
  const communities = COMMUNITIES.map((name, index) => ({
    id: random.uuid(),
    name,
    archivedAt: ARCHIVED_DAYS_AGO[name] ? new Date(now.getTime() - ARCHIVED_DAYS_AGO[name] * DAY_MS) : null,
    stage: STAGES[name] ?? 'trading',
    splitPercentage: (random.integer(12, 40) / 4).toFixed(2),
    referralPercentage: random.pick(['0.00', '5.00', '10.00', '20.00']),
    commissionRate: '0.5000',
    providerIds: [0, 1, 2].slice(0, 1 + (index % 3)).map((step) => providers[(index + step) % 4]?.id ?? ''),
    referrerAddress: random.chance(0.4) ? strangersWallet(random.hex(40)) : null,
    externalAddress: strangersWallet(random.hex(80).slice(0, 40)),
    internalAddress: demoCommunityWallet(index + 1),
    createdAt: new Date(now.getTime() - random.integer(280, 700) * DAY_MS),
  }));
  return { providers, communities };
}
