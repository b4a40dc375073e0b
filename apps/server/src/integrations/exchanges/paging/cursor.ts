import { z } from 'zod';
import { GatewayError } from '../gateway.ts';

/** A position in a walk through the past, as opaque text that a caller passes back. */
export const writeCursor = (place: unknown): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/**
 * Reads a cursor of `writeCursor`.
 * @throws GatewayError `unsupported` for a cursor of another venue, or a made-up one
 */
export function readCursor<S extends z.ZodType>(schema: S, cursor: string): z.output<S> {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new GatewayError('unsupported');
  }
}

export const cursorTime = z.number().int().nonnegative();
