import type { createDirectory } from '@copydesk/simulators/world';
import type { Cell } from '../copy-rows.ts';

type Directory = ReturnType<typeof createDirectory>;

/** The small tables that all others refer to, in loading order. */
export const DIRECTORY_TABLES: { table: string; columns: string[]; rows: (d: Directory) => Cell[][] }[] = [
  {
    table: 'provider',
    columns: [
      'id',
      'name',
      'display_name',
      'payment_split_percentage',
      'supported_exchanges',
      'payout_address',
      'created_at',
      'updated_at',
    ],
    rows: ({ providers }) =>
      providers.map((p) => [
        p.id,
        p.name,
        p.displayName,
        p.split,
        `{${p.exchanges.join(',')}}`,
        p.payoutAddress,
        p.createdAt,
        p.createdAt,
      ]),
  },
  {
    table: 'community',
    columns: [
      'id',
      'name',
      'is_archived',
      'archived_at',
      'split_percentage',
      'trader_referral_percentage',
      'commission_rate',
      'referrer_wallet_address',
      'external_wallet_address',
      'internal_wallet_address',
      'created_at',
    ],
    rows: ({ communities }) =>
      communities.map((c) => [
        c.id,
        c.name,
        c.archivedAt !== null,
        c.archivedAt,
        c.splitPercentage,
        c.referralPercentage,
        c.commissionRate,
        c.referrerAddress,
        c.externalAddress,
        c.internalAddress,
        c.createdAt,
      ]),
  },
  {
    table: 'community_provider',
    columns: ['community_id', 'provider_id'],
    rows: ({ communities }) => communities.flatMap((c) => c.providerIds.map((provider) => [c.id, provider])),
  },
];
