import type { Call } from '@copydesk/contract';

/** The text of a failure that the server gives none for, by call (super-admin spec, section 8). */
const TEXTS: { readonly [K in Call]?: string } = {
  'POST /api/pooled-accounts': 'Failed to create pooled account',
  'GET /api/pooled-accounts': 'Failed to fetch pooled accounts',
  'GET /api/pooled-accounts/{id}': 'Failed to fetch pooled account',
  'GET /api/pooled-accounts/community/{id}': 'Failed to fetch pooled account',
  'GET /api/pooled-accounts/{id}/stats': 'Failed to fetch pool stats',
  'GET /api/pooled-accounts/{id}/harvest/status': 'Failed to fetch harvest status',
  'GET /api/pooled-accounts/{id}/transactions': 'Failed to fetch transactions',
  'PUT /api/pooled-accounts/{id}': 'Failed to update pooled account',
  'GET /api/pooled-accounts/global/harvest/status': 'Failed to fetch global harvest status',
  'GET /api/pooled-accounts/ip-whitelist/{id}': 'Failed to fetch IP whitelist',
  'POST /api/super-admin/communities/{id}/distribute': 'Distribution failed',
};

export const failureTextOf = (key: Call): string | undefined => TEXTS[key];
