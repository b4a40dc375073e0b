import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { clearableLine } from './fields.ts';
import { useSpecWording } from './wording.ts';

beforeAll(useSpecWording);

const text = z.string();

/** A schema and a value for every kind of issue in the library. */
const cases: [kind: string, schema: z.ZodType, input: unknown, message: string][] = [
  ['missing', text, undefined, 'Required'],
  ['missing of several types', z.union([text, z.null()]), undefined, 'Required'],
  ['missing of a list of values', z.enum(['a', 'b']), undefined, 'Required'],
  ['invalid_type', text, 5, 'Expected string, received number'],
  ['invalid_type of null', text, null, 'Expected string, received null'],
  ['invalid_type of an array', z.object({}), [], 'Expected object, received array'],
  ['invalid_type of an object', z.array(text), {}, 'Expected array, received object'],
  ['invalid_type of a boolean', z.number(), true, 'Expected number, received boolean'],
  ['invalid_type of a fraction', z.int(), 1.5, 'Expected integer, received number'],
  ['too_big, text', text.max(3), 'four', 'Invalid input: at most 3 characters'],
  ['too_big, number', z.number().max(10), 11, 'Invalid input: at most 10'],
  ['too_big, array', z.array(text).max(1), ['a', 'b'], 'Invalid input: at most 1 entries'],
  ['too_small, text', text.min(3), 'a', 'Invalid input: at least 3 characters'],
  ['too_small, number', z.number().min(1), 0, 'Invalid input: at least 1'],
  ['too_small, array', z.array(text).min(2), ['a'], 'Invalid input: at least 2 entries'],
  ['invalid_format', z.email(), 'nobody', 'Invalid input'],
  ['a value that is not on the list', z.enum(['a', 'b']), 'c', "Expected 'a' | 'b', received 'c'"],
  ['a list of values and a number', z.enum(['a', 'b']), 5, "Expected 'a' | 'b', received number"],
  [
    'a list of values and a long text',
    z.enum(['a', 'b']),
    'c'.repeat(41),
    "Expected 'a' | 'b', received string",
  ],
  ['a literal', z.literal(true), false, 'Expected true, received false'],
  ['a nullable text', text.nullable(), 5, 'Expected string, received number'],
  ['a nullable list of values', z.enum(['a', 'b']).nullable(), 5, "Expected 'a' | 'b', received number"],
  ['a union of types', z.union([z.number(), z.boolean()]), 'c', 'Expected number | boolean, received string'],
  ['a union with null', z.union([text, z.null()]), 5, 'Expected string | null, received number'],
  [
    'a union of a type and a list',
    z.union([z.enum(['a']), z.number()]),
    'c',
    "Expected number | 'a', received 'c'",
  ],
  ['a clearable line and a number', clearableLine, 5, 'Expected string | null, received number'],
  [
    'a clearable line that is too long',
    clearableLine,
    'x'.repeat(201),
    'Invalid input: at most 200 characters',
  ],
  ['a union of two texts that both fail', z.union([text.min(2), text.min(3)]), 'c', 'Invalid input'],
  ['a union of objects', z.union([z.object({ a: text }), z.null()]), { a: 5 }, 'Invalid input'],
  ['a record and an array', z.record(text, text), [], 'Expected object, received array'],
  ['a record and a text', z.record(text, text), 'c', 'Expected object, received string'],
  ['a value of a record', z.record(text, text), { a: 5 }, 'Expected string, received number'],
  ['unrecognized_keys', z.strictObject({}), { extra: 1 }, 'Invalid input'],
  ['not_multiple_of', z.number().multipleOf(5), 7, 'Invalid input'],
  ['invalid_key', z.record(text.min(2), text), { a: 'x' }, 'Invalid input: at least 2 characters'],
  ['invalid_element', z.map(z.any(), text), new Map([[{}, 1]]), 'Expected string, received number'],
  ['custom', text.refine((value) => value === 'x'), 'y', 'Invalid input'],
];

test.each(cases)('%s', (_kind, schema, input, message) => {
  expect(schema.safeParse(input).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

/** Objects that no text can be made of. */
const WORDLESS = [
  { toString: 1 },
  { toString: null, valueOf: null },
  { valueOf: 'x', toString: {} },
  Object.create(null) as object,
  [Object.create(null) as object],
  JSON.parse('{"__proto__":{"toString":1}}') as object,
];

test.each(WORDLESS)('an object of any form is named by its type: %#', (input) => {
  const received = Array.isArray(input) ? 'array' : 'object';
  const schemas: [z.ZodType, string][] = [
    [z.enum(['a', 'b']), "'a' | 'b'"],
    [z.literal(true), 'true'],
    [z.literal(1), '1'],
    [z.enum(['a']).nullable(), "'a'"],
    [z.union([z.enum(['a']), z.number()]), "number | 'a'"],
    [clearableLine, 'string | null'],
  ];
  for (const [schema, expected] of schemas)
    expect(schema.safeParse(input).error?.issues[0]?.message).toBe(
      `Expected ${expected}, received ${received}`,
    );
});

test('a message of a schema takes precedence', () => {
  expect(text.regex(/^a/, 'Begin with a').safeParse('b').error?.issues[0]?.message).toBe('Begin with a');
});
