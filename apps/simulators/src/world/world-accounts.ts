import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import { apiKeyOf, credentialsOf, type DemoCredentials } from './credentials.ts';
import { createDirectory } from './directory.ts';
import { createPositions } from './history.ts';
import { createRandom, seedOf } from './random.ts';
import { createSpareAccounts } from './spare-accounts.ts';
import { createTrader, type DemoAccount, type DemoTrader } from './trader.ts';
import type { TradingAccount } from './trading.ts';
import { type AccountTraits, createTraits } from './traits.ts';

export interface WorldAccount extends TradingAccount {
  traits: AccountTraits;
  /** The name of a spare account; null: the account is a trader's. */
  spareName: string | null;
}

export type AddressRole = 'account' | 'agent' | 'main';

export interface WorldAccounts {
  epochMs: number;
  size: number;
  list(exchange: Exchange): WorldAccount[];
  findByApiKey(exchange: Exchange, apiKey: string): WorldAccount | null;
  /**
   * Finds an account by an address of hyperliquid in any case: its own, its agent's, or that of the main account above
   * a subaccount.
   */
  findByAddress(address: string): { account: WorldAccount; role: AddressRole } | null;
  /** The credentials of an account, computed once. */
  credentialsOf(account: WorldAccount): DemoCredentials;
}

/**
 * Every account of the demo world and the spare ones, indexed by the ids in requests. The same hour and number of
 * traders give the same world.
 * @param world.epoch when the world was seeded; its hour counts
 * @param world.count number of traders
 */
export function createWorldAccounts({ epoch, count }: { epoch: Date; count: number }): WorldAccounts {
  const hour = new Date(Math.floor(epoch.getTime() / 3_600_000) * 3_600_000);
  const directory = createDirectory(hour);
  const accounts: WorldAccount[] = [];
  for (let index = 1; index <= count; index++) {
    const trader = createTrader(index, directory, hour);
    for (const account of trader.accounts)
      accounts.push({
        ...createWorldAccount(trader, account, hour),
        // Only the trader's number is kept in memory, so 100,000 of them fit.
        history: () => historyOf(account, createTrader(index, directory, hour), hour),
      });
  }
  for (const { account, traits, name } of createSpareAccounts())
    accounts.push({
      ...account,
      epochMs: hour.getTime(),
      isTrading: true,
      history: () => [],
      traits,
      spareName: name,
    });
  return indexAccounts(accounts, hour.getTime());
}

/**
 * One account of a trader, with its traits and its trading.
 * @param hour that of the epoch
 */
export function createWorldAccount(trader: DemoTrader, account: DemoAccount, hour: Date): WorldAccount {
  return {
    ...account,
    epochMs: hour.getTime(),
    isTrading: isTrading(trader, account),
    history: () => historyOf(account, trader, hour),
    traits: createTraits(account),
    spareName: null,
  };
}

/** Every connected trader trades, and two in five of those who owe something; in archived communities none. */
function isTrading({ status, community }: DemoTrader, { id }: DemoAccount): boolean {
  if (status === 'pending' || community.archivedAt) return false;
  return status === 'connected' || createRandom(seedOf(`trading ${id}`)).chance(0.4);
}

function historyOf(account: DemoAccount, trader: DemoTrader, hour: Date) {
  return createPositions(trader, hour).filter((position) => position.account.id === account.id);
}

function indexAccounts(accounts: WorldAccount[], epochMs: number): WorldAccounts {
  const lists = new Map<Exchange, WorldAccount[]>(EXCHANGES.map((exchange) => [exchange, []]));
  const byKey = new Map<string, WorldAccount>();
  const byAddress = new Map<string, WorldAccount>();
  const byMain = new Map<string, WorldAccount>();
  for (const account of accounts) {
    lists.get(account.exchange)?.push(account);
    if (account.masterAddress) {
      byAddress.set(account.masterAddress.toLowerCase(), account);
      byMain.set(account.traits.mainUid.toLowerCase(), account);
    } else byKey.set(`${account.exchange} ${apiKeyOf(account)}`, account);
  }

  const made = new Map<string, DemoCredentials>();
  const getCredentials = (account: WorldAccount): DemoCredentials => {
    const credentials = made.get(account.id) ?? credentialsOf(account);
    made.set(account.id, credentials);
    return credentials;
  };

  // Each agent's address costs 0.4 ms, so they are computed on the first request for an address that matches nothing
  // else.
  let byAgent: Map<string, WorldAccount> | null = null;
  const findAgent = (address: string): WorldAccount | undefined => {
    byAgent ??= new Map(
      [...byAddress.values()].map((account) => {
        const credentials = getCredentials(account);
        return [
          credentials.exchange === 'hyperliquid' ? credentials.agentAddress.toLowerCase() : '',
          account,
        ];
      }),
    );
    return byAgent.get(address);
  };

  return {
    epochMs,
    size: accounts.length,
    list: (exchange) => lists.get(exchange) ?? [],
    findByApiKey: (exchange, apiKey) => byKey.get(`${exchange} ${apiKey}`) ?? null,
    findByAddress(address) {
      const wanted = address.toLowerCase();
      const itself = byAddress.get(wanted);
      if (itself) return { account: itself, role: 'account' };
      const main = byMain.get(wanted);
      if (main) return { account: main, role: 'main' };
      const account = findAgent(wanted);
      return account ? { account, role: 'agent' } : null;
    },
    credentialsOf: getCredentials,
  };
}
