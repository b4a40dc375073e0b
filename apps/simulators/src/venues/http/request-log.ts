export interface LoggedRequest {
  method: string;
  path: string;
  /** The path, or on hyperliquid the request's type. */
  operation: string;
  /** The uid of the account in the request; null: none, or an unknown one. */
  account: string | null;
  /** Null: not answered. */
  status: number | null;
  /** ms since 1970, by the venue's clock */
  at: number;
}

export interface RequestLog {
  /** Since the start or the last reset. @param operation only those to this path or of this type */
  count(operation?: string): number;
  /** The latest 10,000, the oldest first. */
  list(): LoggedRequest[];
  reset(): void;
}

const KEPT = 10_000;

/** The log of a venue's requests. Neither queries nor headers are stored: they carry keys and signatures. */
export function createRequestLog(): RequestLog & { add(request: LoggedRequest): void } {
  let requests: LoggedRequest[] = [];
  let counts = new Map<string, number>();
  let total = 0;
  return {
    count: (operation) => (operation === undefined ? total : (counts.get(operation) ?? 0)),
    list: () => requests.slice(-KEPT),
    reset() {
      requests = [];
      counts = new Map();
      total = 0;
    },
    add(request) {
      total += 1;
      for (const name of new Set([request.path, request.operation]))
        counts.set(name, (counts.get(name) ?? 0) + 1);
      requests.push(request);
      if (requests.length > 2 * KEPT) requests = requests.slice(-KEPT);
    },
  };
}
