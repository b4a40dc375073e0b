import type { WorldAccount } from '../../world/index.ts';
import { REFUSALS, type Refusal } from '../venue.ts';

export const FAULT_KINDS = ['latency', 'timeout', 'cut', 'malformed', ...REFUSALS] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  kind: FaultKind;
  /** Only requests to this path; on hyperliquid, of this type. */
  path?: string;
  /** Only requests of this account: its id or the venue's uid (an address on hyperliquid). */
  account?: string;
  /** Only so many requests; after that the fault is gone. */
  times?: number;
  /** latency: for how long; 1,000 unless told. */
  ms?: number;
  /** malformed: JSON that ends in its middle, or a page of a proxy. */
  body?: 'truncated' | 'html';
}

export interface Faults {
  /** Adds a fault. Several may be set; the first that fits a request is the one it meets, after any latency. */
  set(fault: Fault): void;
  clear(): void;
  list(): Fault[];
}

export interface FaultList extends Faults {
  /** The faults that a request meets: any latency, and at most one other. Counts them down. */
  meet(request: { path: string; operation: string; account: WorldAccount | null }): Fault[];
}

/** Whether the venue itself says no, instead of something that happens on the way. */
export function isRefusal(kind: FaultKind): kind is Refusal {
  return (REFUSALS as readonly string[]).includes(kind);
}

export function createFaults(): FaultList {
  let faults: Fault[] = [];
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
          (fault.path === undefined || fault.path === path || fault.path === operation) &&
          (fault.account === undefined || fault.account === account?.id || fault.account === account?.accUid),
      );
      const other = fitting.find(({ kind }) => kind !== 'latency');
      const met = fitting.filter((fault) => fault.kind === 'latency' || fault === other);
      for (const fault of met) if (fault.times !== undefined) fault.times -= 1;
      faults = faults.filter(({ times }) => times === undefined || times > 0);
      return met;
    },
  };
}
