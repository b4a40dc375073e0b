import { REFUSAL_KINDS, type RefusalKind } from '@copydesk/contract/audit';
import { isAboutAccount } from '@copydesk/domain/access';
import { networkOf } from '../../identity/client-address.ts';
import type { Refusal } from './refusal.ts';

/** A row of the log as one process counts it. Times are ISO texts. */
export interface RefusedAttempts {
  hour: string;
  kind: RefusalKind;
  code: string;
  call: string | null;
  caller_kind: string | null;
  caller_id: string | null;
  caller_name: string | null;
  network: string | null;
  address: string | null;
  first_at: string;
  last_at: string;
  count: number;
  request_id: string | null;
}

/** Refusals in memory until they are written. */
export interface CollectedRefusals {
  add(refusal: Refusal, at: Date): void;
  /** Removes and returns everything collected. */
  take(): RefusedAttempts[];
  /** Adds rows again that could not be written. */
  putBack(rows: readonly RefusedAttempts[]): void;
}

/**
 * Different rows within an hour, for known callers and for unknown ones each: whoever floods the log from many networks
 * without an account cannot hide what accounts do.
 */
export const DISTINCT_PER_HOUR = 500;
/** Of these, the rows of one known caller, or of one network: one account cannot use up what all others have. */
export const DISTINCT_PER_CALLER = 50;

/**
 * The first rows of each known caller, and of each code of unknown ones, are listed beyond these limits: ten accounts
 * that use up the hour do not hide what an eleventh tries, nor invalid tokens a wrong password.
 */
export const ALWAYS_LISTED = 10;

interface Limits {
  perHour?: number;
  perCaller?: number;
  alwaysListed?: number;
}

const noRows = () => ({
  keys: new Set<string>(),
  byCaller: new Map<string, number>(),
  byCode: new Map<string, number>(),
});
const countOn = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

/**
 * Counts refusals by hour, code, call, caller and network. Beyond a number of different ones within an hour they are
 * counted by code and caller only, so neither memory nor the table grows with a flood.
 */
export function createCollectedRefusals({
  perHour = DISTINCT_PER_HOUR,
  perCaller = DISTINCT_PER_CALLER,
  alwaysListed = ALWAYS_LISTED,
}: Limits = {}): CollectedRefusals {
  const rows = new Map<string, RefusedAttempts>();
  const listed = { hour: '', known: noRows(), unknown: noRows() };

  /** Whether a row is listed, or one of the first of its hour and caller. */
  const isListed = (row: RefusedAttempts, key: string) => {
    if (row.hour > listed.hour) Object.assign(listed, { hour: row.hour, known: noRows(), unknown: noRows() });
    // Whoever tries to enter an account is not its person, and must not use up that person's rows.
    const isKnown = row.caller_id !== null && !isAboutAccount(row);
    const { keys, byCaller, byCode } = isKnown ? listed.known : listed.unknown;
    if (keys.has(key)) return true;
    const caller = isKnown ? `${row.caller_kind} ${row.caller_id}` : `${row.network}`;
    const count = byCaller.get(caller) ?? 0;
    // A stranger may have any number of networks, but not of codes.
    const isFirst = (isKnown ? count : (byCode.get(row.code) ?? 0)) < alwaysListed;
    if (row.hour < listed.hour || (!isFirst && (keys.size >= perHour || count >= perCaller))) return false;
    keys.add(key);
    countOn(byCaller, caller);
    countOn(byCode, row.code);
    return true;
  };

  const merge = (row: RefusedAttempts) => {
    const key = keyOf(row);
    const known = rows.get(key);
    if (!known) {
      rows.set(key, row);
      return;
    }
    const [earlier, last] = row.last_at < known.last_at ? [row, known] : [known, row];
    rows.set(key, {
      ...last,
      first_at: earlier.first_at,
      count: known.count + row.count,
    });
  };

  return {
    add(refusal, at) {
      const row = rowOf(refusal, at);
      merge(isListed(row, keyOf(row)) ? row : folded(row));
    },
    take() {
      const taken = [...rows.values()];
      rows.clear();
      return taken;
    },
    putBack(taken) {
      for (const row of taken) merge(row);
    },
  };
}

/** The row that counts what is not listed. */
function folded(row: RefusedAttempts): RefusedAttempts {
  const rest = { ...row, call: null, network: null, address: null };
  // Without its call, this account would pass for the caller.
  return isAboutAccount(row) && !isAboutAccount(rest)
    ? { ...rest, caller_kind: null, caller_id: null, caller_name: null }
    : rest;
}

function rowOf({ code, call, caller, address, requestId }: Refusal, at: Date): RefusedAttempts {
  const time = at.toISOString();
  return {
    hour: `${time.slice(0, 13)}:00:00.000Z`,
    kind: REFUSAL_KINDS[code],
    code,
    call,
    caller_kind: caller?.kind ?? null,
    caller_id: caller?.id ?? null,
    caller_name: caller?.name ?? null,
    network: address === null ? null : networkOf(address),
    address,
    first_at: time,
    last_at: time,
    count: 1,
    request_id: requestId,
  };
}

const keyOf = ({ hour, code, call, caller_kind, caller_id, network }: RefusedAttempts) =>
  JSON.stringify([hour, code, call, caller_kind, caller_id, network]);
