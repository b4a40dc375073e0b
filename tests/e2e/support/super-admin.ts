import type { CallAnswer } from '@copydesk/contract';
import type { Page } from '@playwright/test';
import type { Api } from './api.ts';

export type AdminCommunity = CallAnswer<'GET /api/super-admin/communities'>['data'][number];

/** All communities, in the order of the dashboard: active ones first, then by AUM. */
export async function listCommunities(api: Api): Promise<AdminCommunity[]> {
  const query = { include_archived: 'true' } as const;
  return (await api.call('GET /api/super-admin/communities', { query })).data;
}

export function superAdminScreen(page: Page) {
  const communities = page.getByRole('region', { name: /^Communities\b/ });
  const pools = page.getByRole('region', { name: 'Pooled Trading Accounts' });
  const harvest = page.getByRole('region', { name: 'Global Harvest Control' });
  const figureIn = (list: string) => (label: string) =>
    page.getByLabel(list, { exact: true }).locator('> div').filter({ hasText: label });
  return {
    communities,
    pools,
    harvest,
    dialog: page.getByRole('dialog'),
    card: figureIn('Summary'),
    tile: figureIn('All active pools'),
    row: (name: string) =>
      communities.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) }),
    pool: (name: string) =>
      pools.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) }),
    menu: (name: string) => page.getByRole('button', { name: `Actions for ${name}`, exact: true }),
    item: (name: string) => page.getByRole('menuitem', { name }),
    toast: (text: string) => page.getByRole('listitem').filter({ hasText: text }),
  };
}
