import { randomInt, randomUUID } from 'node:crypto';
import {
  closedPositionsBetween,
  createSpareAccounts,
  credentialsOf,
  type WorldAccount,
  type WorldAccounts,
} from '@copydesk/simulators/world';

const MINUTE_MS = 60_000;
/** How long nothing else of the account closes. */
const QUIET_MS = 15 * MINUTE_MS;
/** USD: worth an invoice, of which no payout needs the approval of another person. */
const PROFIT = { least: 500, most: 5_000 };
const usd = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** About one account in three thousand suits. */
const TRIES = 100_000;

export interface ClosingAccount {
  account: WorldAccount;
  apiKey: string;
  secretKey: string;
  accUid: string;
  /** The one position that closes within the next minutes. */
  symbol: string;
  /** USD after fees, as the screens show it. */
  profit: string;
  closesAt: number;
}

/**
 * An account at the simulated bybit with an open position that closes with a profit between these moments: profit from
 * before an account is connected is not invoiced, so a test would wait for hours for that of an account at random.
 */
export function createClosingAccount(fromMs: number, toMs: number): ClosingAccount {
  const plain = createSpareAccounts().find(
    ({ name, account }) => name === 'plain' && account.exchange === 'bybit',
  );
  if (!plain) throw new Error('The simulated bybit has no plain account.');
  for (let tries = 0; tries < TRIES; tries++) {
    const accUid = String(randomInt(6_000_000, 6_999_999));
    const account: WorldAccount = {
      ...plain.account,
      id: randomUUID(),
      accUid,
      equity: '250000.00',
      epochMs: fromMs - MINUTE_MS,
      isTrading: true,
      history: () => [],
      traits: { ...plain.traits, mainUid: accUid },
      spareName: null,
    };
    const [closing, ...others] = closedPositionsBetween(account, Date.now(), toMs + QUIET_MS);
    if (!closing || others.length > 0) continue;
    if (closing.closedPnl < PROFIT.least || closing.closedPnl > PROFIT.most) continue;
    if (closing.closedAt < fromMs || closing.closedAt > toMs) continue;
    const credentials = credentialsOf(account);
    if (credentials.exchange !== 'bybit') throw new Error('A bybit account has credentials of bybit.');
    const { apiKey, secretKey } = credentials;
    const { symbol, closedPnl, closedAt } = closing;
    return {
      account,
      apiKey,
      secretKey,
      accUid,
      symbol,
      profit: usd.format(closedPnl),
      closesAt: closedAt,
    };
  }
  throw new Error('No account closes a position with a profit then.');
}

/** Accounts that are added while the exchange runs, as people open them. */
export function createAccountList(): WorldAccounts & { add(account: WorldAccount): void } {
  const accounts: WorldAccount[] = [];
  return {
    epochMs: Date.now(),
    get size() {
      return accounts.length;
    },
    add: (account) => void accounts.push(account),
    list: (exchange) => accounts.filter((account) => account.exchange === exchange),
    findByApiKey: (exchange, apiKey) =>
      accounts.find((account) => {
        const credentials = credentialsOf(account);
        return credentials.exchange === exchange && 'apiKey' in credentials && credentials.apiKey === apiKey;
      }) ?? null,
    findByAddress: () => null,
    credentialsOf,
  };
}
