import type { Permission, RecentAuth } from '@copydesk/domain';
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Scopes of service tokens. A call without a service scope refuses service tokens. */
export const SERVICE_SCOPES = ['traders:read', 'traders:write', 'directory:read', 'invoices:read'] as const;
export type ServiceScope = (typeof SERVICE_SCOPES)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and path in one string: the key of an entry is its full address. */
export type CallKey = `${Method} /api/${string}`;

/** One API call as a value. The server implements it, the console calls it, and OpenAPI is generated from it. */
export interface Entry {
  summary: string;
  permission: Permission;
  /**
   * Whether a person must have authenticated recently: for money, payout addresses, secrets and users. Services cannot,
   * so such requests refuse them.
   */
  recentAuth: RecentAuth;
  serviceScope?: ServiceScope;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The body of a successful answer. A `stream` entry has its media type instead. */
  answer: z.ZodType | { stream: 'text/csv' | 'text/event-stream' };
  /** Status code of success. */
  status?: 200 | 201;
  errors: readonly ErrorCode[];
  /**
   * Runs once per `Idempotency-Key` and returns the same answer to a repeated request. For calls that move or create
   * money. The header is optional: without it only unique keys of the data prevent duplicates.
   */
  idempotent?: true;
  /** Maximum calls of one caller per minute, where the general limit is too generous. */
  perMinute?: number;
}

/** Keeps the literal types of the entries while checking their shape. */
export function entries<const T extends Record<CallKey, Entry>>(calls: T): T {
  return calls;
}

/** The success envelope of a call with its content under `data`. */
export function ok<T extends z.ZodType>(data: T) {
  return z.object({ success: z.literal(true), data });
}

/** The success envelope of a list: rows, and metadata of the whole list. */
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
