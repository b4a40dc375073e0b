import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../refusal.ts';

/** No call has a body nearly this deep. Deeper input would overflow the stack of recursive code. */
const MAX_DEPTH = 32;

/**
 * Fields that would replace an object's conversion to text or number: code that compares such an object
 * throws, and so do schemas.
 */
const CONVERSIONS = ['toString', 'valueOf'];

/**
 * Refuses unusable input before anything reads it: U+0000 and lone surrogates, which PostgreSQL does not store, JSON
 * nested too deeply, and objects that cannot be compared.
 * @throws Refusal `validation_failed`
 */
export async function requireReadableInput(request: FastifyRequest): Promise<void> {
  requireReadable(request.params, 'path');
  requireReadable(request.query, 'query');
  // The bytes of a webhook are read after its signature is verified.
  if (Buffer.isBuffer(request.body)) return;
  requireReadable(typeof request.body === 'string' ? parsed(request.body) : request.body, 'body');
}

/** Bodies of /api/auth arrive as text. Their handler refuses invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * @param part of the request, for the message of a refusal
 * @throws Refusal `validation_failed`
 */
export function requireReadable(input: unknown, part: string): void {
  const waiting = [{ value: input, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) throw refusal(part, 'Invalid text');
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) throw refusal(part, 'Nested too deeply');
      if (CONVERSIONS.some((name) => Object.hasOwn(value, name))) throw refusal(part, 'Invalid field name');
      for (const [name, inner] of Object.entries(value))
        waiting.push({ value: name, depth }, { value: inner, depth: depth + 1 });
    }
  }
}

function refusal(path: string, message: string): Refusal {
  return new Refusal('validation_failed', { message: `${path}: ${message}`, details: [{ path, message }] });
}
