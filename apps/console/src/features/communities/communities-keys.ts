/** All keys share the directory's prefix: a change of any community invalidates every one. */
export const communitiesKeys = {
  all: ['communities'],
  /** A change of any trader invalidates this key as well. */
  figures: ['communities', 'figures'],
  /** With settings and wallets: payouts change their balances. */
  admin: ['communities', 'figures', 'admin'],
  record: (id: string) => ['communities', 'figures', id],
  allDays: ['communities', 'days'],
  days: (id: string) => ['communities', 'days', id],
  history: (id: string) => ['communities', 'history', id],
  signups: (id: string) => ['communities', 'signups', id],
  vip: (id: string) => ['communities', 'figures', id, 'vip'],
} as const;
