import { decideConfirmation, type Vouched } from '@copydesk/domain/access';
import { sql } from 'kysely';
import { type AttentionSource, asItems } from '../../core/attention/attention-source.ts';
import { readOtherConfirmed, readVouching } from '../../core/transfers/orders/vouching.views.ts';
import type { Tx } from '../../platform/db/database.ts';

interface Candidate {
  id: string;
  since: string;
}

/** New super admins whom another one has to confirm: few, and the rule is the one of the confirmation itself. */
async function readCandidates(tx: Tx, viewerId: string) {
  const { rows } = await sql<Candidate>`
    SELECT p.id, app.iso(coalesce(p.super_since, p.created_at)) AS since FROM identity.person p
    WHERE p.super AND p.is_active AND p.disabled_at IS NULL AND p.confirmed_at IS NULL`.execute(tx.sql);
  if (rows.length === 0) return [];
  const known = await readVouching(tx, [viewerId, ...rows.map(({ id }) => id)]);
  const vouched = (id: string): Vouched => known.get(id) ?? { id, isConfirmed: false, sponsorIds: [] };
  // A candidate is not confirmed, and therefore not among the others who are.
  const otherConfirmed =
    (await readOtherConfirmed(tx, viewerId)).length + (known.get(viewerId)?.isConfirmed ? 1 : 0);
  return rows.map(({ id, since }) => {
    const asked = {
      confirmer: vouched(viewerId),
      candidate: vouched(id),
      isActiveSuper: true,
      otherConfirmed,
    };
    const refusal = decideConfirmation(asked);
    // Only an operator of the server can confirm these, so they wait for no one here.
    const isOutside =
      refusal === 'operator_confirmation_required' || refusal === 'confirmation_needs_sponsor';
    const turn = refusal === null ? ('you' as const) : isOutside ? ('system' as const) : ('another' as const);
    return { subject: id, since, code: isOutside ? refusal : null, turn, author: null };
  });
}

export const waitingSuperAdmins: AttentionSource = {
  items: async (tx, viewerId) => asItems(await readCandidates(tx, viewerId)),
  about: {
    from: sql`identity.person p WHERE p.id::text = i.subject`,
    columns: { title: sql`coalesce(nullif(p.name, ''), p.email)` },
  },
};

export const waitingPeople: AttentionSource = {
  items: () => ({
    from: sql`identity.waitlist w WHERE w.state = 'waiting'`,
    subject: sql`w.id::text`,
    since: sql`w.joined_at`,
  }),
  about: {
    from: sql`identity.waitlist w WHERE w.id = i.subject::uuid`,
    columns: { title: sql`w.name` },
  },
};
