import type { Capability, StaffRole } from '@copydesk/domain/access';

/** What each role at a provider is for. */
export const ROLE_WORDS: Record<StaffRole, { label: string; text: string }> = {
  viewer: { label: 'Viewer', text: 'Sees everything of the provider and changes nothing.' },
  finance: { label: 'Finance', text: 'Sees everything and exports lists for the accounts.' },
  operator: { label: 'Operator', text: 'Looks after traders and their exchange accounts.' },
  staff: { label: 'Staff', text: 'Everything a provider does day to day. The role of new staff.' },
  owner: { label: 'Owner', text: 'Like staff, and sees who else has access to the provider.' },
};

export const CAPABILITY_WORDS: Record<Capability, { label: string; text: string }> = {
  'directory:read': {
    label: 'See communities and pools',
    text: 'Communities, pools, messages, live updates',
  },
  'traders:read': { label: 'See traders', text: 'Traders, accounts, positions, performance' },
  'invoices:read': {
    label: 'See invoices and payouts',
    text: 'Invoices, transaction history, distributions',
  },
  'traders:write': {
    label: 'Change traders',
    text: 'Change status, KAIT number and payout address, renew referral codes, refresh AUM',
  },
  'accounts:write': { label: 'Manage exchange accounts', text: 'Connect and remove exchange accounts' },
  'secrets:reveal': { label: 'Reveal secrets', text: 'Exchange keys, unless reserved for super admins' },
  'data:export': { label: 'Export', text: 'Lists as CSV files' },
  'people:read': {
    label: 'See people',
    text: 'Who has access to the provider, and when they were last seen',
  },
};
