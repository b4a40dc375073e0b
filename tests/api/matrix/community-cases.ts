import type { Cases } from './case.ts';

/** Communities and their figures. */
export const COMMUNITY_CASES = {
  'GET /api/communities': { input: () => ({ query: { include_aum: 'true' } }) },
  'GET /api/super-admin/communities': { input: () => ({ query: { include_archived: 'true' } }) },
  'GET /api/communities/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { include_config: 'true' } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/traders': {
    input: ({ communityId }) => ({
      params: { id: communityId },
      query: { limit: '10000', include_aum: 'true' },
    }),
    isAimed: true,
  },
  'GET /api/communities/{id}/stats': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/days': {
    input: ({ communityId }) => ({
      params: { id: communityId },
      query: { from: '2020-01-01', to: '2100-01-01' },
    }),
    isAimed: true,
  },
  'GET /api/communities/{id}/signups': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { interval: 'month' } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/vip/stats': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/vip/traders': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'PATCH /api/communities/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId }, body: { minimum_balance: 10_000 } }),
    isAimed: true,
  },
  'PATCH /api/super-admin/communities/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId }, body: { split_percentage: 5 } }),
    isAimed: true,
  },
  'PATCH /api/super-admin/communities/{id}/archive': {
    // It has traders with AUM.
    input: ({ communityId }) => ({ params: { id: communityId }, query: {} }),
    isAimed: true,
    allowed: [409],
  },
  'PATCH /api/super-admin/communities/{id}/restore': {
    // It is not archived.
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
    allowed: [409],
  },
  'DELETE /api/super-admin/communities/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/super-admin/communities/{id}/setup-checklist': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/super-admin/communities/{id}/split-history': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: {} }),
    isAimed: true,
  },
} satisfies Partial<Cases>;
