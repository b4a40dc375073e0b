import type { Capability, Permission, RecentAuth, ServiceScope } from '@copydesk/domain/access';
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and path in one string: the key of an entry is its full address. */
export type CallKey = `${Method} /api/${string}`;

/** One API call as a value. The server implements it, the console calls it, and OpenAPI is generated from it. */
export interface Entry {
  summary: string;
  permission: Permission;
  /** What a member of staff needs its role for. Every call for staff has one, and no other. */
  capability?: Capability;
  /**
   * Whether a person must have authenticated recently: for money, payout addresses, secrets and users. Services cannot,
   * so such requests refuse them, unless the call has a scope for services and either always asks people or excepts them.
   */
  recentAuth: RecentAuth;
  serviceScope?: ServiceScope;
  /**
   * A super admin may make this call before it has a second factor: acts on accounts, which have to be possible to get
   * there. Every other call of super admins or staff that needs recent authentication needs a second factor too.
   */
  beforeSecondFactor?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The body of a successful answer. A `stream` entry has its media type instead. */
  answer: z.ZodType | { stream: 'text/csv' | 'text/event-stream' | 'application/pdf' };
  /** Status code of success. */
  status?: 200 | 201 | 202;
  /** Whether an answer with the state `awaiting_approval` has 202: it waits for another person, and nothing else changed. */
  mayWait?: true;
  errors: readonly ErrorCode[];
  /**
   * Runs once per `Idempotency-Key` and returns the same answer to a repeated request. For calls that move or create
   * money. The header is optional: without it only unique keys of the data prevent duplicates.
   */
  idempotent?: true;
  /** Maximum calls of one caller per minute, where the general limit is too generous. */
  perMinute?: number;
}

/** Vendors call below this path only, so no call of the console can be there. */
export type WebhookKey = `POST /api/webhooks/${string}`;

/**
 * A call from a vendor, authenticated by a signature of its raw body instead of a token. The console's client does not
 * know it.
 */
export interface Webhook {
  summary: string;
  /** Where the signature is, and the name of the secret behind it. The server has a verifier for each webhook. */
  signature: { scheme: string; header: string; secret: string };
  /** Largest difference between the signed time and ours: an older request is a replay. */
  toleranceSeconds: number;
  maxBodyBytes: number;
  /** Maximum requests of one address, counted before the signature is checked. */
  perMinute: number;
  /** The body, read once its signature is known to be genuine. Vendors add fields: it has to allow unknown ones. */
  event: z.ZodType;
  /** The body of a successful answer. */
  answer: z.ZodType;
  /** Errors besides `WEBHOOK_ERRORS`. */
  errors: readonly ErrorCode[];
}

/** Keeps the literal types of the entries while checking their shape. */
export function entries<const T extends Record<CallKey, Entry> & { [K in WebhookKey]?: never }>(calls: T): T {
  return calls;
}

/** Keeps the literal types of the webhooks while checking their shape. */
export function webhooks<const T extends { [K in keyof T]: K extends WebhookKey ? Webhook : never }>(
  calls: T,
): T {
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
    details: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          /** Of `changed_meanwhile`: the value that was sent, and the present one. */
          yours: z.unknown().optional(),
          theirs: z.unknown().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Error' });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
