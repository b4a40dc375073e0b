import { type RawBuilder, sql } from 'kysely';
import type { WriteTx } from '../db/database.ts';

/** A row that one worker holds. Its writes count until another worker has taken the row. */
export interface Held {
  id: string;
  leaseNumber: string;
}

/** A table whose rows are work: see decision 104. */
interface DueTable {
  table: string;
  /** Its primary key. */
  key?: string;
  /** When a row is due next; null: its rows are due for as long as their state says so. */
  due: string | null;
  /** Grows whenever a row is taken or given up. */
  number?: string;
}

interface Claim {
  /** The rows to take, as `SELECT <key> … FOR UPDATE SKIP LOCKED`. Its condition includes `isFree`. */
  pick: RawBuilder<unknown>;
  /** The clock of the due times; null: the database's. */
  at: Date | null;
  leaseMs: number;
  /** Further columns; `free` are the rows of `pick`, and `r` the rows before. */
  set?: RawBuilder<unknown>;
  /** Columns to read, of the alias `r`. */
  returning?: RawBuilder<unknown>;
  /** A statement that also changes what belongs to the rows of `free`, in the same query. */
  also?: RawBuilder<unknown>;
}

interface End {
  /** Further columns, without an alias. */
  set?: RawBuilder<unknown>;
  /**
   * When the row is due next; when omitted, the time written during the turn stays, or else the end of the
   * lease.
   */
  nextAt?: Date | RawBuilder<unknown>;
}

/** What can be done with the rows of one such table. */
export interface DueRows {
  /**
   * The condition that a row can be taken: due, and not held. A lease ends by the database's clock, whatever the
   * clocks of workers say.
   */
  isFree(alias: string, at: Date | null): RawBuilder<boolean>;
  /** Takes rows that no other worker holds, until the lease ends. */
  claim<Row>(tx: WriteTx, claim: Claim): Promise<(Row & Held)[]>;
  /** Holds a row for longer. @returns false: it was taken by another worker */
  renew(
    tx: WriteTx,
    held: Held,
    lease: { at: Date | null; leaseMs: number; set?: RawBuilder<unknown> },
  ): Promise<boolean>;
  /** Ends a turn and the right to write. @returns false: the row was taken by another worker, and nothing is written */
  finish(tx: WriteTx, held: Held, end: End): Promise<boolean>;
  /** Lets another worker take the row at once. */
  giveBack(tx: WriteTx, held: Held, at: Date | null): Promise<boolean>;
  /** Deletes a row that is done. @returns false: it was taken by another worker, and stays */
  remove(tx: WriteTx, held: Held): Promise<boolean>;
}

/**
 * The number after this one, above all that an earlier leader of the database gave: what that one acknowledged last may
 * be unknown here.
 */
export const nextLease = (number: RawBuilder<unknown>) =>
  sql`greatest(${number} + 1, (SELECT app.lease_floor()))`;

/** This many milliseconds from now, by the database's clock. */
export const later = (ms: number) => sql<Date>`now() + make_interval(secs => ${ms / 1_000})`;

/**
 * Work that is the row itself: a worker holds a row for a lease, and a number fences it off once another worker has taken
 * the row. Leases count from the beginning of each transaction, which errs on the safe side: a lease seems longer to
 * other workers, and ends earlier for its holder.
 */
export function dueRows({ table, key = 'id', due, number = 'lease_number' }: DueTable): DueRows {
  const rows = sql.table(table);
  const numberOf = sql.ref(number);
  const dueOf = due === null ? null : sql.ref(due);
  const next = sql`${numberOf} = ${nextLease(sql.ref(`r.${number}`))}`;
  const isHeld = ({ id, leaseNumber }: Held) =>
    sql`${sql.ref(`r.${key}`)} = ${id} AND ${sql.ref(`r.${number}`)} = ${leaseNumber}`;
  const timeOf = (at: Date | null) => (at === null ? sql`now()` : sql`${at}::timestamptz`);
  /** The due time moves with the lease, so that a search for due rows skips those in work. */
  const dueWithLease = (at: Date | null, leaseMs: number) =>
    dueOf === null
      ? sql``
      : sql`, ${dueOf} = ${at === null ? later(leaseMs) : new Date(at.getTime() + leaseMs)}`;
  const whole = (tx: WriteTx) => {
    if (tx.scope.kind !== 'all') throw new Error('only workers, which see everything, take rows as work');
    return tx.sql;
  };
  const wrote = async (tx: WriteTx, statement: RawBuilder<unknown>) =>
    (await statement.execute(whole(tx))).numAffectedRows === 1n;

  const finish: DueRows['finish'] = (tx, held, { set, nextAt }) => {
    const dueNext = dueOf === null || nextAt === undefined ? sql`` : sql`, ${dueOf} = ${nextAt}`;
    return wrote(
      tx,
      sql`UPDATE ${rows} r SET leased_until = NULL, ${next}${dueNext}${set ? sql`, ${set}` : sql``}
        WHERE ${isHeld(held)}`,
    );
  };

  return {
    isFree: (alias, at) =>
      sql<boolean>`(${dueOf === null ? sql`true` : sql`${sql.ref(`${alias}.${due}`)} <= ${timeOf(at)}`}
        AND (${sql.ref(`${alias}.leased_until`)} IS NULL OR ${sql.ref(`${alias}.leased_until`)} <= now()))`,

    async claim<Row>(tx: WriteTx, { pick, at, leaseMs, set, returning, also }: Claim) {
      // Materialized: as the inner side of a join it could run again and take more than its limit.
      const taken = await sql<Row & Held>`
        WITH free AS MATERIALIZED (${pick})${also ? sql`, others AS (${also})` : sql``}
        UPDATE ${rows} r SET leased_until = ${later(leaseMs)}${dueWithLease(at, leaseMs)}, ${next}
          ${set ? sql`, ${set}` : sql``}
        FROM free WHERE ${sql.ref(`r.${key}`)} = ${sql.ref(`free.${key}`)}
        RETURNING ${sql.ref(`r.${key}`)}::text AS id, ${sql.ref(`r.${number}`)}::text AS "leaseNumber"
          ${returning ? sql`, ${returning}` : sql``}`.execute(whole(tx));
      return taken.rows;
    },

    renew: (tx, held, { at, leaseMs, set }) =>
      wrote(
        tx,
        sql`UPDATE ${rows} r SET leased_until = ${later(leaseMs)}${dueWithLease(at, leaseMs)}
          ${set ? sql`, ${set}` : sql``} WHERE ${isHeld(held)}`,
      ),

    finish,

    giveBack: (tx, held, at) => finish(tx, held, { nextAt: timeOf(at) }),

    remove: (tx, held) => wrote(tx, sql`DELETE FROM ${rows} r WHERE ${isHeld(held)}`),
  };
}
