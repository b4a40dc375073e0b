import { expect, test } from 'vitest';
import { z } from 'zod';
import { requireReadable } from './readable-input.ts';

const nested = (depth: number): unknown => (depth === 0 ? 'end' : [nested(depth - 1)]);
const uncomparable = JSON.parse('{"length":{"toString":null,"valueOf":null}}') as unknown;

test.each([
  ['U+0000', 'a\0b', 'Invalid text'],
  ['a lone surrogate in a name', { 'a\ud800': 1 }, 'Invalid text'],
  ['deep nesting', nested(40), 'Nested too deeply'],
  ['an object that cannot be compared', uncomparable, 'Invalid field name'],
  ['one that hides how it becomes a text', [{ toString: 'x' }], 'Invalid field name'],
])('%s is refused before a schema reads it', (_, input, message) => {
  expect(() => requireReadable(input, 'body')).toThrow(
    expect.objectContaining({ code: 'validation_failed', details: [{ path: 'body', message }] }),
  );
});

test('what people and programs send is read', () => {
  const body = { name: 'Zoë 👋 أحمد', length: 3, list: [1, null, { deep: { er: true } }] };
  expect(() => requireReadable(body, 'body')).not.toThrow();
});

// Should it fail one day, the rule about field names has lost its reason.
test('a schema with a length throws over what cannot be compared', () => {
  expect(() => z.string().max(3).safeParse(uncomparable)).toThrow(TypeError);
});
