import { EXCHANGES } from '@copydesk/domain/catalogue';
import { z } from 'zod';
import { entries, ok } from './entry.ts';
import { byId, clearableLine, id, seenBefore, seenVersion, timestamp } from './fields.ts';

const byLink = z.strictObject({ id, providerId: id });
const name = clearableLine.describe("the provider's name in this community; empty: its own display name");

const link = z
  .object({
    provider_id: id,
    display_name: z.string().describe("the provider's own"),
    custom_display_name: z.string().nullable(),
    is_active: z.boolean().describe('whether traders of the community may choose the provider'),
    is_provider_active: z.boolean(),
    payment_split_percentage: z.number().describe('as a fraction, 0 to 1'),
    supported_exchanges: z.array(z.enum(EXCHANGES)),
    trader_count: z.int().describe('traders of the community who selected it'),
    account_count: z.int().describe('connected accounts of the community under it'),
    linked_at: timestamp,
    version: seenVersion.describe('of the link'),
  })
  .meta({ id: 'CommunityProvider' });

export const communityProviderCalls = entries({
  'GET /api/communities/{id}/providers': {
    summary: 'The providers that a community works with, by display name',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    answer: ok(z.array(link)),
    errors: ['not_found'],
  },
  'POST /api/communities/{id}/providers': {
    summary: 'Links a provider to a community',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ provider_id: id, custom_display_name: name.default(null) }),
    answer: ok(link),
    status: 201,
    errors: [
      'not_found',
      'text_refused',
      'community_archived',
      'provider_inactive',
      'provider_already_linked',
      'split_exceeds_invoice',
    ],
  },
  'PUT /api/communities/{id}/providers/{providerId}': {
    summary: 'Renames a provider in a community, or says whether its traders may choose it',
    permission: 'super',
    recentAuth: true,
    params: byLink,
    body: z.strictObject({
      custom_display_name: name.optional(),
      is_active: z.boolean().optional(),
      version: seenBefore,
    }),
    answer: ok(link),
    errors: ['not_found', 'changed_meanwhile', 'text_refused', 'provider_inactive'],
  },
  'DELETE /api/communities/{id}/providers/{providerId}': {
    summary: 'Removes a provider that nothing in the community uses',
    permission: 'super',
    recentAuth: true,
    params: byLink,
    answer: ok(z.object({ provider_id: id })),
    errors: ['not_found', 'provider_in_use'],
  },
  'GET /api/communities/{id}/providers/{providerId}/can-remove': {
    summary: 'Whether a provider can be removed from a community, and what uses it',
    permission: 'super',
    recentAuth: false,
    params: byLink,
    answer: ok(
      z.object({
        can_remove: z.boolean(),
        reasons: z.array(
          z.object({
            code: z.enum(['traders', 'accounts', 'open_invoices', 'unpaid_shares', 'last_provider']),
            count: z.int(),
            message: z.string(),
          }),
        ),
      }),
    ),
    errors: ['not_found'],
  },
});
