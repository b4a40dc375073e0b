import type {
  ExpectedStep,
  TimelineActor,
  TimelineEvent,
  TimelineState,
  TimelineSubject,
} from '@copydesk/domain/timeline';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';

type Column = RawBuilder<unknown>;

/** What a timeline is about: the facts that belong to it. */
export interface Story {
  subject: { kind: TimelineSubject; id: string };
  /** A query of the ids of its invoices in scope; null: it is not about invoices. */
  invoices: Column | null;
  /** The condition of its shares, for a `payable y`. */
  shares: Column;
}

/** Rows that happened, as one indexed statement says them. Columns without a value are left out. */
export interface Events {
  at: Column;
  /** A fixed kind, or a column with one of `TIMELINE_EVENTS`. */
  kind: TimelineEvent | Column;
  /** `done` when omitted. */
  state?: TimelineState | Column;
  /** 10^-18 USDT. */
  units?: Column;
  count?: Column;
  actor: TimelineActor | Column;
  actorName?: Column;
  hash?: Column;
  /** The other subject that it is about. */
  about?: { kind: TimelineSubject; id: Column };
  detail?: Column;
  problem?: Column;
  /** What follows FROM, with its conditions and groups. */
  from: Column;
}

/** A step that rows leave open; no row: nothing is open. */
export interface Open {
  kind: ExpectedStep | Column;
  at?: Column;
  count?: Column;
  from: Column;
}

/** What a feature knows of a story. Nothing is written for it: facts that exist are read. */
export interface TimelineSource {
  events(tx: AnyTx, story: Story): Events[];
  open(tx: AnyTx, story: Story): Open[];
}

const text = (value: string | Column | undefined) =>
  typeof value === 'string' ? sql`${sql.lit(value)}::text` : (value ?? sql`NULL::text`);

export const eventRows = (e: Events): Column => sql`
  SELECT ${e.at} AS at, ${text(e.kind)} AS kind, ${text(e.state ?? 'done')} AS state, ${e.units ?? sql`NULL::numeric`} AS units,
    ${e.count ?? sql`1`} AS count, ${text(e.actor)} AS actor, ${text(e.actorName)} AS actor_name, ${text(e.hash)} AS hash,
    ${text(e.about?.kind)} AS about, ${e.about?.id ?? sql`NULL::uuid`} AS about_id, ${text(e.detail)} AS detail,
    ${text(e.problem)} AS problem
  FROM ${e.from}`;

export const openRows = (o: Open): Column => sql`
  SELECT ${text(o.kind)} AS kind, ${o.at ?? sql`NULL::timestamptz`} AS at, ${o.count ?? sql`1`} AS count FROM ${o.from}`;
