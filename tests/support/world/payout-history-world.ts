import { send } from '../send.ts';
import { createTestApp } from '../test-app.ts';
import { ownerOf } from './rows.ts';

export type Query = Record<string, string>;

/** The fields of the API's payout that tests use. */
export interface ListedPayout {
  id: string;
  status: string;
  recipient_type: string;
  recipient_address: string;
  total_amount: string;
  consolidate_transaction_hash: string | null;
  distribute_transaction_hash: string | null;
  created_at: string;
  community: { id: string; name: string } | null;
}

/** The same from its rows, for a person with these providers, independently of the server. */
export interface KnownPayout extends Omit<ListedPayout, 'total_amount' | 'community'> {
  community_id: string;
  /** Whether its community is in the person's scope too; its name and wallet are hidden otherwise. */
  isCommunitySeen: boolean;
  units: string;
}

export type PayoutHistoryWorld = Awaited<ReturnType<typeof createPayoutHistoryWorld>>;

/** The API over payouts of every kind, some of which mix providers, and three people who see all, some and one. */
export async function createPayoutHistoryWorld() {
  const product = await createTestApp({ scale: 0.2 });
  const tokens: Record<string, string> = {};
  for (const persona of ['super', 'staff', 'staff-multi'] as const)
    tokens[persona] = await product.signIn(persona);
  const owner = ownerOf(product.ownerUrl);
  // Cases missing from the demo world: payouts whose payables are of several providers, or of none that is known.
  await owner(`UPDATE payable y SET provider_id = (SELECT id FROM provider p
    ORDER BY hashtext(y.id::text || p.id::text) LIMIT 1) WHERE abs(hashtext(y.id::text)) % 3 = 0`);
  await owner('UPDATE payable SET provider_id = NULL WHERE abs(hashtext(id::text)) % 11 = 1');
  await owner(`UPDATE payable SET amount_units = amount_units + 1 WHERE payout_id IS NOT NULL`);
  await owner(`UPDATE payout o SET amount_units = s.units FROM (
    SELECT payout_id AS id, sum(amount_units) AS units FROM payable GROUP BY 1) s WHERE s.id = o.id`);

  const ask = (call: string, query: Query = {}, who = 'super', id = '') =>
    send(product.app, `GET ${call}`, { params: { id }, query }, tokens[who]);
  const listAll = async (query: Query = {}, who = 'super'): Promise<ListedPayout[]> =>
    (await ask('/api/sweep-operations/admin/all', { limit: '10000', ...query }, who)).json().data;
  const providersOf = async (who: string): Promise<string[]> => {
    const { data } = (await ask('/api/me', {}, who)).json();
    return data.providers.map((provider: { id: string }) => provider.id);
  };
  /** The expected view of a person, from the payables: of each payout the part of its providers. */
  const known = async (who = 'super'): Promise<KnownPayout[]> => {
    const columns = `o.id, o.status, o.recipient_type, o.recipient_address, o.consolidate_transaction_hash,
      o.distribute_transaction_hash, app.iso(o.created_at) AS created_at, o.community_id`;
    if (who === 'super')
      return owner<KnownPayout & Record<string, unknown>>(
        `SELECT ${columns}, true AS "isCommunitySeen", o.amount_units::text AS units FROM payout o`,
      );
    return owner<KnownPayout & Record<string, unknown>>(
      `SELECT ${columns}, EXISTS (SELECT FROM community_provider l WHERE l.community_id = o.community_id
         AND l.provider_id = ANY ($1)) AS "isCommunitySeen", sum(y.amount_units)::text AS units FROM payout o
       JOIN payable y ON y.payout_id = o.id WHERE y.provider_id = ANY ($1) GROUP BY o.id`,
      [await providersOf(who)],
    );
  };
  const { ownerUrl, db } = product;
  return { ask, listAll, known, providersOf, ownerUrl, db, close: () => product.close() };
}

export const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
