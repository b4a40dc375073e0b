import { RECORD_FAULTS, type RecordFault, type RecordFaults } from '../../pools/record-faults.ts';
import { REFUSALS, type Refusal, type VenueAccount } from '../venue.ts';

export const FAULT_KINDS = [
  'latency',
  'timeout',
  'cut',
  'malformed',
  ...REFUSALS,
  // Of the records of a pool's account at bybit, and of no request.
  ...RECORD_FAULTS,
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  kind: FaultKind;
  /** Only requests to this path; on hyperliquid, of this type. */
  path?: string;
  /** Only requests of this account: its id or the venue's uid (an address on hyperliquid). */
  account?: string;
  /** Number of requests affected; after that the fault is gone. */
  times?: number;
  /** latency: its length, 1,000 by default; records_late: until a deposit is listed, 60,000 by default. */
  ms?: number;
  /** malformed: truncated JSON, or a page of a proxy. */
  body?: 'truncated' | 'html';
}

export interface Faults {
  /** Adds a fault. Several may be set; the first matching one applies, after any latency. */
  set(fault: Fault): void;
  clear(): void;
  list(): Fault[];
}

export interface FaultList extends Faults, RecordFaults {
  /** The faults that apply to a request: any latency, and at most one other. Their counts go down. */
  meet(request: { path: string; operation: string; account: VenueAccount | null }): Fault[];
}

/** Whether the venue itself refuses, as opposed to a failure on the way. */
export function isRefusal(kind: FaultKind): kind is Refusal {
  return (REFUSALS as readonly string[]).includes(kind);
}

const isOfRecord = (kind: FaultKind): kind is RecordFault =>
  (RECORD_FAULTS as readonly string[]).includes(kind);

export function createFaults(): FaultList {
  let faults: Fault[] = [];

  function countDown(met: readonly Fault[]): void {
    for (const fault of met) if (fault.times !== undefined) fault.times -= 1;
    faults = faults.filter(({ times }) => times === undefined || times > 0);
  }

  return {
    set: (fault) => {
      faults.push({ ...fault });
    },
    clear: () => {
      faults = [];
    },
    list: () => faults.map((fault) => ({ ...fault })),
    meet({ path, operation, account }) {
      const fitting = faults.filter(
        (fault) =>
          !isOfRecord(fault.kind) &&
          (fault.path === undefined || fault.path === path || fault.path === operation) &&
          (fault.account === undefined || fault.account === account?.id || fault.account === account?.accUid),
      );
      const other = fitting.find(({ kind }) => kind !== 'latency');
      const met = fitting.filter((fault) => fault.kind === 'latency' || fault === other);
      countDown(met);
      return met;
    },
    meetRecord(kind, uid) {
      const met = faults.find(
        (fault) => fault.kind === kind && (fault.account === undefined || fault.account === uid),
      );
      if (!met) return null;
      countDown([met]);
      return met.ms === undefined ? {} : { ms: met.ms };
    },
  };
}
