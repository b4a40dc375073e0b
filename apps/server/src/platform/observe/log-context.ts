import { AsyncLocalStorage } from 'node:async_hooks';

/** What a process is doing: fields of every line that is logged meanwhile. */
export interface LogFields {
  requestId?: string;
  /** Where the request comes from. */
  address?: string;
  userId?: string;
  /** The super admin behind a view as another user. */
  viewerId?: string;
  serviceId?: string;
  job?: string;
  jobId?: string;
  loop?: string;
}

const contexts = new AsyncLocalStorage<() => LogFields>();

/**
 * Runs `work` with these fields on each of its lines, and on those of everything that it calls and waits for.
 * @param fields asked at each line: the person behind a request is known only after the first ones
 */
export function withLogFields<T>(fields: () => LogFields, work: () => T): T {
  return contexts.run(fields, work);
}

/** The fields of the work under way, as a new object; empty outside of any work. */
export function currentLogFields(): LogFields {
  return contexts.getStore()?.() ?? {};
}
