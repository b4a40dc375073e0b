import pg from 'pg';
import type { Random } from '../../apps/simulators/src/world/random.ts';

/** Ids of rows that exist, by the field or the part of a path that names them. */
export interface KnownIds {
  /** Mostly an id of the right table, else one of another table, or none of ours. */
  idFor(name: string, random: Random): string;
}

const PER_TABLE = 40;

/** Which tables a part of a path, or a field, means. Every other name takes an id of any table. */
const TABLES: Record<string, readonly string[]> = {
  traders: ['trader'],
  trader: ['trader'],
  trader_id: ['trader'],
  user: ['trader'],
  communities: ['community'],
  community: ['community'],
  community_id: ['community'],
  providers: ['provider'],
  provider_id: ['provider'],
  provider_ids: ['provider'],
  provider_access: ['provider'],
  selected_provider_id: ['provider'],
  invoices: ['invoice', 'exchange_bot_sale'],
  invoice_ids: ['invoice'],
  'sweep-operations': ['payout'],
  distributions: ['distribution'],
  'payout-addresses': ['payout_address_change'],
  wallets: ['chain_wallet'],
  messages: ['message', 'exchange_bot_message'],
  runs: ['invoicing_run'],
  'saved-views': ['saved_view'],
  'pooled-accounts': ['pooled_account'],
  'ip-whitelist': ['pooled_account'],
  member_id: ['pool_member'],
  withdrawals: ['pool_withdrawal'],
  deposits: ['pool_deposit'],
  arrivals: ['pool_arrival'],
  decisions: ['pool_arrival_decision'],
  resolution: ['harvest_resolution'],
  evidence_id: ['pool_evidence'],
  'exchange-bot': ['exchange_bot'],
  pricing: ['exchange_bot_plan'],
  plan_id: ['exchange_bot_plan'],
  plan_ids: ['exchange_bot_plan'],
  coupons: ['exchange_bot_coupon'],
  'custom-faqs': ['exchange_bot_faq'],
  changes: ['platform_setting_change'],
  'service-tokens': ['service_token'],
  waitlist: ['waitlist'],
  users: ['user'],
};

/** Reads ids of every table with a UUID as its key. Those of the personas stay out: disabling them would end the run. */
export async function readKnownIds(ownerUrl: string): Promise<KnownIds> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const byTable = new Map<string, string[]>();
  try {
    await client.query("SELECT set_config('copydesk.scope', 'all', false)");
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `SELECT c.table_schema AS schema, c.table_name AS name FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.column_name = 'id' AND c.data_type IN ('uuid', 'text') AND t.table_type = 'BASE TABLE'
         AND c.table_schema IN ('public', 'identity') ORDER BY c.table_name`,
    );
    for (const { schema, name } of tables) {
      const kept = name === 'user' ? `WHERE email NOT LIKE '%@demo.example' OR email LIKE 'not-admin%'` : '';
      const { rows } = await client.query<{ id: string }>(
        `SELECT id::text FROM ${schema}."${name}" ${name === 'session' ? 'WHERE false' : kept} ORDER BY id LIMIT ${PER_TABLE}`,
      );
      if (rows.length > 0)
        byTable.set(
          name,
          rows.map(({ id }) => id),
        );
    }
  } finally {
    await client.end();
  }
  const everything = [...byTable.keys()].filter((table) => table !== 'user');
  return {
    idFor(name, random) {
      const own = (TABLES[name] ?? []).filter((table) => byTable.has(table));
      if (own.length > 0 && random.chance(0.85)) return random.pick(byTable.get(random.pick(own)) ?? []);
      if (random.chance(0.5)) return random.uuid();
      return random.pick(byTable.get(random.pick(everything)) ?? [random.uuid()]);
    },
  };
}
