import { type CallAnswer, contract } from '@copydesk/contract';
import { page } from 'vitest/browser';
import { type Answers, never } from './serve-calls.ts';
import { COMMUNITY, NONE } from './show-community.ts';
import { idOf, type Shown, showScreen } from './show-screen.tsx';
import { globalOf, type Pool, pendingOf, someAnswers } from './some-pools.ts';

export const POOL = 'GET /api/pooled-accounts/{id}';
export const POOLS = 'GET /api/pooled-accounts';
export const GLOBAL = 'GET /api/pooled-accounts/global/harvest/status';
export const PENDING = 'GET /api/admin/bsc-pending-deposits';
type AdminCommunity = CallAnswer<'GET /api/super-admin/communities'>['data'][number];

/** What the page of a pool asks for. */
function answersOf(pool: Pool, isSuper: boolean): Answers {
  const ofPool = Object.entries(someAnswers(pool, { isSuper })).map(([path, answer]) => [
    `${POOL}${path.replace('?*', '')}`,
    { success: true, ...answer },
  ]);
  return { ...(Object.fromEntries(ofPool) as Answers), 'GET /api/orders': NONE };
}

/** What the dashboard asks for about pools. */
export const answersOfAll = (pools: Pool[], changes: Partial<ReturnType<typeof globalOf>> = {}): Answers => ({
  [POOLS]: { success: true, pooled_accounts: pools },
  [GLOBAL]: { success: true, data: { ...globalOf(pools), ...changes } },
  [PENDING]: { success: true, data: pendingOf(pools) },
});

/** The page of a pool for a super admin, or for staff. */
export function showPool(pool: Pool, answers: Answers = {}, shown: Shown = {}) {
  const ofPool = answersOf(pool, shown.user?.super ?? true);
  return showScreen(`/pools/${pool.id}`, { height: 1400, ...shown, answers: { ...ofPool, ...answers } });
}

const COMMUNITIES: AdminCommunity[] = [
  { ...COMMUNITY, name: 'Blue Harbor', id: idOf(990), owes_shares: false },
];
/** What the dashboard asks for beside pools stays on its way. */
export const AROUND = Object.fromEntries(
  Object.keys(contract)
    .filter((key) => /^GET \/api\/super-admin\//.test(key))
    .map((key) => [key, never]),
) as Answers;

/** The dashboard of super admins with these pools. A pool opens from it. */
export const showDashboard = (pools: Pool[], answers: Answers = {}, shown: Shown = {}) =>
  showScreen('/super-admin', {
    height: 1400,
    ...shown,
    answers: {
      ...AROUND,
      ...(pools[0] && answersOf(pools[0], true)),
      'GET /api/super-admin/communities': {
        success: true,
        data: COMMUNITIES,
        meta: { totals_at: COMMUNITY.created_at },
      },
      'GET /api/super-admin/payout-addresses': NONE,
      'GET /api/orders': NONE,
      ...answersOfAll(pools),
      ...answers,
    },
  });

export const region = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
const list = page.getByRole('region', { name: 'Pooled Trading Accounts' });
/** The parts of the dashboard by the names that a person reads or hears. */
export const dashboard = {
  harvest: page.getByRole('region', { name: 'Global Harvest Control' }),
  pools: list,
  pool: (name: string) =>
    list.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) }),
  /** A figure of all pools. */
  tile: (label: string) =>
    [...(document.querySelector('[aria-label="All active pools"]')?.children ?? [])].find(({ textContent }) =>
      textContent?.includes(label),
    ),
};
