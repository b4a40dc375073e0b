import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { useSpecWording } from './wording.ts';

beforeAll(useSpecWording);

const text = z.string();

/** A schema and a value for every kind of issue that the library knows. */
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
  ['invalid_value', z.enum(['a', 'b']), 'c', 'Invalid input'],
  ['invalid_union', z.union([z.number(), z.boolean()]), 'c', 'Invalid input'],
  ['unrecognized_keys', z.strictObject({}), { extra: 1 }, 'Invalid input'],
  ['not_multiple_of', z.number().multipleOf(5), 7, 'Invalid input'],
  ['invalid_key', z.record(text.min(2), text), { a: 'x' }, 'Invalid input'],
  ['invalid_element', z.map(z.any(), text), new Map([[{}, 1]]), 'Invalid input'],
  ['custom', text.refine((value) => value === 'x'), 'y', 'Invalid input'],
];

test.each(cases)('%s', (_kind, schema, input, message) => {
  expect(schema.safeParse(input).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test('a message that a schema gives itself stands', () => {
  expect(text.regex(/^a/, 'Begin with a').safeParse('b').error?.issues[0]?.message).toBe('Begin with a');
});
