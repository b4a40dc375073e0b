import type { Permission, RecentAuth } from '@copydesk/domain';
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** What a service token may be allowed to do. A call without a service scope refuses service tokens. */
export const SERVICE_SCOPES = ['traders:read', 'traders:write', 'directory:read', 'invoices:read'] as const;
export type ServiceScope = (typeof SERVICE_SCOPES)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and path in one string: the key of an entry is the whole of its address. */
export type CallKey = `${Method} /api/${string}`;

/** One API call as a value. The server implements it, the console calls it, OpenAPI is printed from it. */
export interface Entry {
  summary: string;
  permission: Permission;
  /**
   * Whether a person must have proven who it is within the last minutes: for money, payout addresses, secrets and
   * users. Services cannot, so such a request is never theirs.
   */
  recentAuth: RecentAuth;
  serviceScope?: ServiceScope;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The body of the answer on success. A `stream` entry has none: it says the media type instead. */
  answer: z.ZodType | { stream: 'text/csv' | 'text/event-stream' };
  /** Status of success. */
  status?: 200 | 201;
  errors: readonly ErrorCode[];
  /**
   * Does what it does once for an `Idempotency-Key`, and answers the same to who repeats it. For calls that move or
   * create money. The header stays optional: who sends none is held to what the data itself keeps unique.
   */
  idempotent?: true;
  /** Calls of one caller per minute where the general limit is too generous. */
  perMinute?: number;
}

/** Keeps the literal types of the entries while checking their shape. */
export function entries<const T extends Record<CallKey, Entry>>(calls: T): T {
  return calls;
}

/** The success envelope of a call whose content stands under `data`. */
export function ok<T extends z.ZodType>(data: T) {
  return z.object({ success: z.literal(true), data });
}

/** The success envelope of a list: rows, and what is true of the whole of it. */
export function page<T extends z.ZodType, M extends z.ZodRawShape>(row: T, meta: M) {
  return z.object({ success: z.literal(true), data: z.array(row), meta: z.object(meta) });
}

export const errorEnvelope = z
  .object({
    success: z.literal(false),
    error: z.string(),
    message: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
