import type { AttentionKind, AttentionTurn } from '@copydesk/domain/attention';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../platform/db/database.ts';

type Column = RawBuilder<unknown>;

/** Rows that need a person: what one indexed statement says of each. Columns without a value are left out. */
export interface Items {
  /** What follows FROM, with its conditions and groups. */
  from: Column;
  /** What a row is about, as text: the same as long as its cause lasts. */
  subject: Column;
  since: Column;
  /** Whose it is, where each provider has its own: its staff sees and marks it. */
  providerId?: Column;
  /** 10^-18 USDT. */
  amountUnits?: Column;
  code?: Column;
  count?: Column;
  /** Who requested it: a viewer who may not approve that person's requests cannot decide it. */
  authorId?: Column;
  /** For whom it waits; the reader, where this is left out. */
  turn?: Column;
  /** The state on which a snooze depends: when it changes, the item wakes. Code and count when omitted. */
  cause?: Column;
  /** Marks from before this time are about an earlier item; `since` when omitted. */
  marksFrom?: Column;
}

/** What a row `i` of the page is about: read for the page alone. */
export interface About {
  title?: Column;
  detail?: Column;
  traderId?: Column;
  communityId?: Column;
  poolId?: Column;
}

export interface AttentionSource {
  items: (tx: Tx, viewerId: string) => Items | Promise<Items>;
  /** What follows FROM, at most one row for a row `i` with its `subject`; null: it is about everything. */
  about: { from: Column; columns: About } | null;
}

/** A source that figures add up as well, which may be read on a replica. */
export interface SummedSource extends AttentionSource {
  items: (tx: AnyTx, viewerId: string) => Items | Promise<Items>;
}

/** A kind without a source does not compile. */
export type AttentionSources = { readonly [K in AttentionKind]: AttentionSource };

/** Facts that a rule of ours found, as rows of a statement. */
export function asItems(
  rows: readonly {
    subject: string;
    since: string;
    code: string | null;
    turn: AttentionTurn;
    /** See `Items`. */
    author: string | null;
  }[],
): Items {
  return {
    from: sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f(subject text, since timestamptz, code text,
      turn text, author text)`,
    subject: sql`f.subject`,
    since: sql`f.since`,
    code: sql`f.code`,
    turn: sql`f.turn`,
    authorId: sql`f.author`,
  };
}

const subjectId = sql`i.subject::uuid`;
const traderName = sql`coalesce(t.reference_number, '@' || nullif(t.telegram_username, ''), t.name, left(t.id::text, 8))`;

/** The trader `i.subject`. */
export const aboutTrader: AttentionSource['about'] = {
  from: sql`trader t WHERE t.id = ${subjectId}`,
  columns: { title: traderName, traderId: sql`t.id`, communityId: sql`t.community_id` },
};

/** The community `i.subject`. */
export const aboutCommunity: AttentionSource['about'] = {
  from: sql`community c WHERE c.id = ${subjectId}`,
  columns: { title: sql`c.name`, communityId: sql`c.id` },
};

/** The pool `i.subject`. */
export const aboutPool: AttentionSource['about'] = {
  from: sql`pooled_account p JOIN community c ON c.id = p.community_id WHERE p.id = ${subjectId}`,
  columns: { title: sql`c.name`, communityId: sql`c.id`, poolId: sql`p.id` },
};
