import type { Random } from '../../apps/simulators/src/world/random.ts';

const LONG = 'x'.repeat(20_000);

/** Texts that are no words of ours: bytes that databases refuse, marks that change the direction, names of prototypes. */
const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '\u202eabc\u2069',
  '\u200b\u200d\ufeff',
  '\u{1f600}'.repeat(60),
  'İıſK',
  '=1+1',
  "' OR 1=1 --",
  '%_\\',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  '9007199254740993',
  '99999999999999999999999999999999999999',
  '-1',
  '1.0000000000000000000000001',
  '275760-09-13T00:00:00.001Z',
  '+275760-09-13',
  '0000-01-01',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T24:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0x0000000000000000000000000000000000000000',
  'zz&co@example.com',
  'zz@xn--e1afmkfd.xn--p1ai',
  'a@b',
  'eyJhIjoxfQ',
  'WyJhIiwiYiJd',
  'W10',
  '[]',
  '{"a":1}',
  LONG,
] as const;

const NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  0.1 + 0.2,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  1e21,
  1e300,
  5e-324,
] as const;

/** Numbers that JSON.stringify does not write: they are put into the text of a body. */
export const RAW_NUMBERS = [
  '1e999',
  '-1e999',
  '9007199254740993',
  `1${'0'.repeat(400)}`,
  '-0',
  'NaN',
  '1E+2',
];

/** Marks a place where a raw number replaces a text in quotes. */
export const RAW_MARK = 'raw-number-here';

const OBJECTS = (): unknown[] => [
  {},
  [],
  [[]],
  [null],
  [{}],
  [1, 'a', null, {}],
  { toString: 1 },
  { toString: null, valueOf: null },
  { valueOf: 'x', toString: {} },
  { length: -1 },
  { length: 1e9, 0: 'a' },
  { constructor: { prototype: {} } },
  JSON.parse('{"__proto__":{"admin":true}}'),
  JSON.parse('{"then":"x"}'),
  { toJSON: 1 },
  { id: null },
  Array.from({ length: 300 }, (_, index) => index),
  nested(20),
  nested(40),
];

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

/** A value of any type, hardly ever the right one. */
export function hostileValue(random: Random): unknown {
  const kind = random.integer(0, 9);
  if (kind < 4) return random.pick(TEXTS);
  if (kind < 6) return random.pick(NUMBERS);
  if (kind === 6) return random.pick([null, true, false]);
  if (kind === 7) return RAW_MARK;
  return random.pick(OBJECTS());
}

export const hostileText = (random: Random): string => random.pick(TEXTS);
