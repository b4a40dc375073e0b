import { REFUSAL_KINDS, type RefusalKind } from '@copydesk/contract/audit';
import { isAboutAccount } from '@copydesk/domain/access';
import { networkOf } from '../../identity/client-address.ts';
import type { RefusedAttempt } from './refusal.ts';

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
  add(refusal: RefusedAttempt, at: Date): void;
  /** Removes and returns everything collected. */
  take(): RefusedAttempts[];
  /** Adds rows again that could not be written. */
  putBack(rows: readonly RefusedAttempts[]): void;
}

/**
 * Different rows of one caller within an hour; the rest is only counted. A caller is an account, or all
 * callers without an account that were refused with the same code: a stranger can use any number of networks,
 * but few codes. So strangers never hide rows of accounts, no account hides another, and invalid tokens hide
 * no wrong password.
 */
export const LISTED_PER_CALLER = 100;

/**
 * Counts refusals by hour, code, call, caller and network. Beyond a caller's rows of an hour they are counted by code and
 * caller only, so neither memory nor the table grows with a flood.
 */
export function createCollectedRefusals(perCaller = LISTED_PER_CALLER): CollectedRefusals {
  const rows = new Map<string, RefusedAttempts>();
  let listed = { hour: '', byCaller: new Map<string, Set<string>>() };

  const isListed = (row: RefusedAttempts, key: string) => {
    if (row.hour > listed.hour) listed = { hour: row.hour, byCaller: new Map() };
    if (row.hour < listed.hour) return false;
    // A failed sign-in may not come from the account's owner, and must not use up the owner's rows.
    const isAccount = row.caller_id !== null && !isAboutAccount(row);
    const caller = isAccount ? `${row.caller_kind} ${row.caller_id}` : row.code;
    const keys = listed.byCaller.get(caller) ?? new Set();
    if (!keys.has(key) && keys.size >= perCaller) return false;
    listed.byCaller.set(caller, keys.add(key));
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
  // `isAboutAccount` decides by the call: without it, this account would look like the caller.
  return isAboutAccount(row) && !isAboutAccount(rest)
    ? { ...rest, caller_kind: null, caller_id: null, caller_name: null }
    : rest;
}

function rowOf({ code, call, caller, address, requestId }: RefusedAttempt, at: Date): RefusedAttempts {
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
