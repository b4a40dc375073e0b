import type { Aim, Cases } from './case.ts';

const ofProvider = { input: ({ providerId }: Aim) => ({ params: { id: providerId } }), isAimed: true };
const ofLink = ({ communityId, providerId }: Aim) => ({ params: { id: communityId, providerId } });

/** Providers, and the communities that work with them. */
export const PROVIDER_CASES = {
  'GET /api/providers': { input: () => ({ query: { active: 'true' } }) },
  'GET /api/providers/{id}': ofProvider,
  'POST /api/providers': {
    input: () => ({ body: { name: crypto.randomUUID(), display_name: 'New' } }),
  },
  'PUT /api/providers/{id}': {
    input: ({ providerId }) => ({ params: { id: providerId }, body: { minimum_commission_rate: 0 } }),
    isAimed: true,
  },
  'PATCH /api/providers/{id}/invoicing': {
    input: ({ providerId }) => ({ params: { id: providerId }, body: { invoicing_enabled: true } }),
    isAimed: true,
  },
  'GET /api/providers/{id}/communities': ofProvider,
  'GET /api/providers/{id}/exchanges': ofProvider,
  'GET /api/providers/{id}/people': ofProvider,
  'GET /api/providers/{id}/figures': ofProvider,
  'GET /api/providers/{id}/history': {
    input: ({ providerId }) => ({ params: { id: providerId }, query: {} }),
    isAimed: true,
  },
  'GET /api/super-admin/providers/{id}/payout-address': ofProvider,
  'POST /api/communities': {
    input: ({ providerId }) => ({ body: { name: crypto.randomUUID(), provider_ids: [providerId] } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/providers': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'POST /api/communities/{id}/providers': {
    // They are linked already.
    input: ({ communityId, providerId }) => ({
      params: { id: communityId },
      body: { provider_id: providerId },
    }),
    isAimed: true,
    allowed: [409],
  },
  'PUT /api/communities/{id}/providers/{providerId}': {
    input: (aim) => ({ ...ofLink(aim), body: { custom_display_name: '' } }),
    isAimed: true,
  },
  'DELETE /api/communities/{id}/providers/{providerId}': {
    // Its traders have selected it.
    input: ofLink,
    isAimed: true,
    allowed: [409],
  },
  'GET /api/communities/{id}/providers/{providerId}/can-remove': { input: ofLink, isAimed: true },
} satisfies Partial<Cases>;
