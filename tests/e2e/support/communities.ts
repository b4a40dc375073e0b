import type { CallAnswer } from '@copydesk/contract';
import type { Page } from '@playwright/test';
import type { Api } from './api.ts';

export type Community = Required<CallAnswer<'GET /api/communities/{id}'>['data']>;

/** Active communities as the caller sees them, in the order of the leaderboard. */
export async function listActive(api: Api) {
  const { data } = await api.call('GET /api/communities', { query: { include_aum: 'true' } });
  return data.filter((community) => !community.is_archived);
}

/** An active community of several providers, with its settings. */
export async function pickCommunity(api: Api): Promise<Community> {
  for (const { id } of await listActive(api)) {
    const query = { include_config: 'true' } as const;
    const { data } = await api.call('GET /api/communities/{id}', { params: { id }, query });
    if ((data.providers?.length ?? 0) > 1) return data as Community;
  }
  throw new Error('no community has several providers');
}

/** Puts the settings of a community back as they were. */
export async function putBack(api: Api, community: Community): Promise<void> {
  const { id, split_percentage, minimum_balance, referrer_wallet_address } = community;
  await api.call('PATCH /api/super-admin/communities/{id}', {
    params: { id },
    idempotencyKey: null,
    body: { split_percentage, minimum_balance, referrer_wallet_address },
  });
}

export function settingsScreen(page: Page) {
  const dialog = page.getByRole('dialog');
  return {
    dialog,
    field: dialog.getByRole('textbox'),
    save: dialog.getByRole('button', { name: 'Save' }),
    edit: (name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true }),
    /** Of the toasts region; what is said of it aloud stands elsewhere. */
    toast: (text: string) => page.getByRole('listitem').filter({ hasText: text }),
    /** What is set now; the history beside it names the same values. */
    settings: page.getByRole('region', { name: 'Settings', exact: true }),
    panel: (name: string) => page.getByRole('region', { name }),
  };
}
