/**
 * What keeps an acknowledged transaction when the machine of the database is lost. `synchronous`: another machine has
 * it; `single`: there is one machine, and its backups; `managed`: the service replicates beneath the database, which
 * knows nothing of it.
 */
export const DURABILITIES = ['synchronous', 'single', 'managed'] as const;
export type Durability = (typeof DURABILITIES)[number];

/** What the database says of the standbys that its commits wait for. Positions are bytes of its log. */
export interface Replication {
  /** The line of the log's history; a new leader begins the next one. Null on a standby. */
  timeline: string | null;
  /** All that is committed is before it. */
  flushed: bigint;
  /** As many standbys as a commit waits for have the log up to here on disk; null: they are not connected. */
  confirmed: bigint | null;
  /** `synchronous_standby_names`; empty: no commit waits. */
  names: string;
  /** How many standbys a commit waits for, and how many of these are connected. */
  wanted: number;
  connected: number;
  /** The owner of the schema may not read what standbys confirm. */
  isHidden: boolean;
  /** An operator has lately said that there is no standby, which holds until then. */
  forgottenUntil: Date | null;
}

/**
 * Why a transaction that is committed now could be lost with the machine of the database, in words for operators; null:
 * it could not, or that is accepted.
 */
export function durabilityProblem(durability: Durability, found: Replication): string | null {
  const { names, wanted, connected, isHidden, forgottenUntil } = found;
  if (durability === 'managed' || forgottenUntil !== null) return null;
  if (durability === 'single')
    return names === ''
      ? null
      : `DATABASE_DURABILITY is single, but the database names standbys: ${names}. Set it to synchronous.`;
  if (names === '')
    return 'DATABASE_DURABILITY is synchronous, but no commit waits for a standby: synchronous_standby_names is empty.';
  if (isHidden)
    return 'The owner of the schema may not read what standbys confirm. As a superuser: GRANT pg_read_all_stats TO <the owner>;';
  if (connected < wanted)
    return `${connected} of ${wanted} ${wanted === 1 ? 'synchronous standby is' : 'synchronous standbys are'} connected.`;
  return null;
}

/**
 * Whether standbys have all that was committed when `then` was read.
 * @param now read later, of the same database
 */
export const isConfirmed = (then: Replication, now: Replication): boolean =>
  now.timeline === then.timeline && now.confirmed !== null && now.confirmed >= then.flushed;
