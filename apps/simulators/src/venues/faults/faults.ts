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
  /** Number of requests affected; after that the fault is gone. */
  times?: number;
  /** latency: its length; 1,000 by default. */
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

export interface FaultList extends Faults {
  /** The faults that apply to a request: any latency, and at most one other. Their counts go down. */
  meet(request: { path: string; operation: string; account: WorldAccount | null }): Fault[];
}

/** Whether the venue itself refuses, as opposed to a failure on the way. */
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
