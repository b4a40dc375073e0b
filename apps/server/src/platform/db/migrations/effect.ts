/** What waits while a statement runs. */
export type Blocking = 'nothing' | 'writes' | 'reads and writes';
/** How long it runs: independent of the data, one pass over it, a copy of it, or as its own WHERE says. */
export type Work = 'none' | 'scan' | 'rewrite' | 'rows' | 'unknown';

/** What one statement of a migration does to the tables that exist before it. */
export interface Effect {
  /** Its first line. */
  statement: string;
  tables: readonly string[];
  blocks: Blocking;
  work: Work;
  /** Why the version before cannot run on the schema afterwards; null: it can. */
  breaks: string | null;
  /** `-- compatible: ...` before it: why it does no harm after all. */
  excuse: string | null;
}

/** The part of it that a kind of statement decides. */
export type Found = Pick<Effect, 'tables' | 'blocks' | 'work' | 'breaks'>;
