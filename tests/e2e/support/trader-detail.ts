import type { CallAnswer } from '@copydesk/contract';
import type { OpenPosition, TraderExchange } from '@copydesk/contract/exchanges';
import type { Trader } from '@copydesk/contract/traders';
import type { Exchange } from '@copydesk/domain/catalogue';
import type { Locator, Page, Route } from '@playwright/test';
import type { Api } from './api.ts';
import { listTraders } from './traders-list.ts';

/** The parts of the trader screen by the names that a person reads or hears. */
export function traderDetail(page: Page) {
  const part = (name: string) => page.getByRole('region', { name });
  return {
    title: page.getByRole('heading', { level: 1 }),
    back: page.getByRole('button', { name: 'Back to Traders' }),
    status: page.getByRole('combobox', { name: 'Trader Status' }),
    dialog: page.getByRole('dialog'),
    positions: part('Active Positions'),
    keys: part('Exchange Keys'),
    history: part('Position History'),
    aum: part('AUM Management'),
    user: part('User Information'),
    invoices: part('Invoice Information'),
    equity: part('Equity curve'),
    calendar: part('PnL calendar'),
    audit: part('Audit History'),
    /** The card of an exchange account. */
    card: ({ acc_uid }: { acc_uid: string }) =>
      page.getByRole('list', { name: 'Exchange accounts' }).getByRole('listitem', { name: acc_uid }),
    /** The group of an account's open positions. */
    group: (name: string | RegExp) =>
      page
        .getByRole('list', { name: 'Active positions by account' })
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name }) }),
  };
}

type Detail = Trader & { exchanges: TraderExchange[]; active_positions: OpenPosition[] };

export async function getDetail(api: Api, id: string): Promise<Detail> {
  const { data } = await api.call('GET /api/traders/{id}', {
    params: { id },
    query: { include_exchanges: 'true', include_active_positions: 'true', include_invoices: 'true' },
  });
  return { ...data, exchanges: data.exchanges ?? [], active_positions: data.active_positions ?? [] };
}

/** A trader with so many accounts, of these exchanges among others. */
export async function pickWithAccounts(api: Api, exchanges: readonly Exchange[], most = 3): Promise<Detail> {
  const [exchange] = exchanges;
  const { data } = await listTraders(api, { tab: 'connected', exchange });
  const found = data.find((trader) => {
    const names = (trader.exchanges ?? []).map((account) => account.exchange);
    return names.length <= most && exchanges.every((name) => names.includes(name));
  });
  if (!found) throw new Error(`The demo world has no trader on ${exchanges.join(' and ')}.`);
  return getDetail(api, found.id);
}

const LIVE_POSITIONS = /\/api\/exchanges\/[a-z]+\/[^/]+\/positions\?/;
export const LIVE_BALANCES = '**/api/exchanges/trader/*/balances';

/** Answers as the API does. */
const answer = <T extends object>(body: T) => ({ json: { success: true, ...body } });

const TIMED_OUT = {
  code: 'timeout',
  message: 'The exchange did not answer in time.',
  retryable: true,
  retry_after_ms: null,
} as const;

/** Later than what the worker reads and stores during a test: of the two, the screen shows the later. */
export const soon = () => new Date(Date.now() + 3_600_000).toISOString();

type Positions = CallAnswer<'GET /api/exchanges/{exchange}/{id}/positions'>;

/** The open positions of every account as the test wants them: for an account nothing, some, or a failure. */
export function servePositions(
  page: Page,
  ofAccount: (accUid: string) => Partial<OpenPosition>[] | 'failed',
) {
  return page.route(LIVE_POSITIONS, (route: Route) => {
    const url = new URL(route.request().url());
    const accUid = url.searchParams.get('acc_uid') ?? '';
    const positions = ofAccount(accUid);
    const now = soon();
    const meta = {
      read_at: positions === 'failed' ? null : now,
      error: positions === 'failed' ? TIMED_OUT : null,
    };
    const data =
      positions === 'failed' ? [] : positions.map((one) => ({ ...POSITION, read_at: now, ...one }));
    return route.fulfill(answer({ data, meta } satisfies Omit<Positions, 'success'>));
  });
}

const POSITION: OpenPosition = {
  symbol: 'BTCUSDT',
  side: 'long',
  entryPrice: '60000',
  markPrice: '61500',
  leverage: '10',
  contracts: '0.5',
  unrealizedPnl: '750',
  exchange: 'bybit',
  provider_name: 'Provider',
  acc_uid: '1',
  read_at: '2026-01-01T00:00:00.000Z',
};

/** Replaces a part of the trader's record, which the database keeps. */
export function changeRecord(page: Page, id: string, change: Partial<Trader>) {
  return page.route(
    (url) => url.pathname === `/api/traders/${id}`,
    async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, data: { ...body.data, ...change } } });
    },
  );
}

/** The line of the top bar that says from when a part of the screen is, once it is pointed at. */
export async function readingOf(page: Page, what: string): Promise<Locator> {
  await page.getByRole('button', { name: /(as of|not read since) / }).focus();
  return page.getByRole('listitem').filter({ hasText: new RegExp(`^${what}.* \\d\\d:\\d\\d$`) });
}
