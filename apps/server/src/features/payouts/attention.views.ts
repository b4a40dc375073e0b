import { PAYOUT_MINUTES } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import {
  type AttentionSource,
  aboutCommunity,
  type SummedSource,
} from '../../core/attention/attention-source.ts';
import { authorOf } from '../../core/transfers/addresses/held.views.ts';

/** Payouts of a community that failed and were not ordered again. */
export const failedPayouts: SummedSource = {
  items: () => ({
    from: sql`payout p WHERE p.status <> 'distributed' AND p.status = 'failed'
      AND p.problem IS DISTINCT FROM 'sent_again' AND p.replaced_by_id IS NULL GROUP BY p.community_id`,
    subject: sql`p.community_id::text`,
    since: sql`min(p.updated_at)`,
    amountUnits: sql`sum(p.amount_units)`,
    code: sql`CASE WHEN min(p.problem) IS NOT DISTINCT FROM max(p.problem) THEN min(p.problem) END`,
    count: sql`count(*)`,
  }),
  about: aboutCommunity,
};

/** Payouts of a distribution that wait with a problem, or for longer than one takes that is in order. */
export const stuckPayouts: SummedSource = {
  items: () => ({
    from: sql`payout p JOIN distribution d ON d.id = p.distribution_id AND d.state = 'approved'
      WHERE p.status <> 'distributed' AND p.status <> 'failed'
        AND (p.problem IS NOT NULL OR p.ordered_at < now() - make_interval(mins => ${sql.lit(PAYOUT_MINUTES)}))
      GROUP BY d.id`,
    subject: sql`d.id::text`,
    since: sql`min(p.ordered_at)`,
    amountUnits: sql`sum(p.amount_units)`,
    code: sql`min(p.problem)`,
    count: sql`count(*)`,
  }),
  about: {
    from: sql`distribution d JOIN community c ON c.id = d.community_id WHERE d.id = i.subject::uuid`,
    columns: { title: sql`c.name`, communityId: sql`c.id` },
  },
};

/** Distributions that wait for an approval; those of a payout run are one item, whose code is `run`. */
export const waitingDistributions: AttentionSource = {
  items: (_tx, viewerId) => ({
    from: sql`distribution d WHERE d.state = 'awaiting_approval' GROUP BY coalesce(d.run_id, d.id)`,
    subject: sql`coalesce(d.run_id, d.id)::text`,
    since: sql`min(d.created_at)`,
    amountUnits: sql`sum(d.amount_units)`,
    authorId: sql`min(d.requested_by_id)`,
    code: sql`CASE WHEN bool_or(d.run_id IS NOT NULL) THEN 'run' END`,
    count: sql`count(*)`,
    // Above the largest payout it takes two approvers. The first of them waits for another.
    turn: sql`CASE WHEN min(d.first_approved_by_id) = ${viewerId} THEN 'another' ELSE 'you' END`,
    cause: sql`coalesce(min(d.first_approved_by_id), '')`,
  }),
  about: stuckPayouts.about,
};

/** Changed addresses that wait for their release, also of referrers that still are. */
const waiting = sql`payout_address_change a WHERE a.released_at IS NULL AND a.address IS NOT NULL
      AND (a.owner_kind <> 'trader_referrer' OR coalesce((SELECT true FROM trader t
        WHERE t.id = (CASE WHEN a.owner_kind = 'trader_referrer' THEN a.owner_id::uuid END)
          AND t.referred_by_trader_id = (CASE WHEN a.owner_kind = 'trader_referrer' THEN a.address::uuid END)), false))`;
const isDisowned = sql`EXISTS (SELECT FROM payout_address_word w WHERE w.change_id = a.id AND w.kind = 'not_me')`;
const aboutAddress: AttentionSource['about'] = {
  from: sql`payout_address_change a WHERE a.id = i.subject::uuid`,
  columns: {
    title: sql`CASE a.owner_kind
      WHEN 'platform' THEN a.owner_id
      WHEN 'provider' THEN (SELECT p.display_name FROM provider p WHERE p.id::text = a.owner_id)
      WHEN 'trader' THEN (SELECT coalesce(t.reference_number, t.telegram_username, t.name) FROM trader t
        WHERE t.id = a.owner_id::uuid)
      WHEN 'trader_referrer' THEN (SELECT coalesce(t.reference_number, t.telegram_username, t.name) FROM trader t
        WHERE t.id = a.owner_id::uuid)
      ELSE (SELECT c.name FROM community c WHERE c.id = a.owner_id::uuid) END`,
  },
};

/** An address that its owner says is not theirs: an intruder may have set it. For super admins. */
export const disownedAddresses: AttentionSource = {
  items: () => ({
    from: sql`${waiting} AND ${isDisowned}`,
    subject: sql`a.id::text`,
    since: sql`a.changed_at`,
    code: sql`a.owner_kind`,
  }),
  about: aboutAddress,
};

export const waitingAddresses: AttentionSource = {
  items: () => ({
    from: sql`${waiting} AND NOT ${isDisowned}`,
    subject: sql`a.id::text`,
    since: sql`a.changed_at`,
    code: sql`a.owner_kind`,
    authorId: authorOf('a'),
  }),
  about: aboutAddress,
};
