import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  clearableLine,
  day,
  decimalString,
  email,
  flag,
  hexAddress,
  line,
  moment,
  paging,
  queryInteger,
  rowVersion,
  storedTime,
  telegramNumber,
  walletAddress,
} from './fields.ts';
import { useSpecWording } from './wording.ts';

beforeAll(useSpecWording);

const messageFor = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues[0]?.message;

describe('a whole number in a query string', () => {
  const tenToTwenty = queryInteger(10, 20);

  test.each([
    ['10', 10],
    ['020', 20],
  ])('"%s" is %i', (input, value) => {
    expect(tenToTwenty.parse(input)).toBe(value);
  });

  test('both bounds are kept', () => {
    expect(messageFor(tenToTwenty, '9')).toBe('Invalid input: at least 10');
    expect(messageFor(tenToTwenty, '21')).toBe('Invalid input: at most 20');
    expect(messageFor(tenToTwenty, '-15')).toBe('Invalid input: at least 10');
    expect(queryInteger(-5, 5).parse('-5')).toBe(-5);
  });

  test.each(['', ' 15', '15 ', '1.5', '1e1', '0x10', '+15', 'ten', 'Infinity', '9999999999', '--15'])(
    '"%s" is none',
    (input) => {
      expect(messageFor(tenToTwenty, input)).toBe('Expected number, received string');
    },
  );

  test('limit and offset accept the values that screens send, and no more', () => {
    expect(paging.limit.parse('10000')).toBe(10_000);
    expect(messageFor(paging.limit, '10001')).toBe('Invalid input: at most 10000');
    expect(messageFor(paging.limit, '0')).toBe('Invalid input: at least 1');
    expect(paging.offset.parse('0')).toBe(0);
    expect(paging.offset.parse(undefined)).toBeUndefined();
    expect(messageFor(paging.offset, '-1')).toBe('Invalid input: at least 0');
  });
});

describe('a line of text', () => {
  test('is trimmed', () => expect(line.parse('  Ada Berg\t')).toBe('Ada Berg'));
  test('may be 200 characters long', () => {
    expect(line.parse('x'.repeat(200))).toHaveLength(200);
    expect(messageFor(line, 'x'.repeat(201))).toBe('Invalid input: at most 200 characters');
  });
  test.each(['a\0b', 'a\nb', 'a\u001bb', 'a\u007fb'])('holds no control character: %j', (input) => {
    expect(messageFor(line, input)).toBe('Invalid input');
  });
  test('is not empty', () => expect(line.safeParse('   ').success).toBe(false));
});

describe('a line that may be cleared', () => {
  test.each([
    ['', null],
    [null, null],
    [' Ada ', 'Ada'],
  ])('%j is stored as %j', (input, value) => {
    expect(clearableLine.parse(input)).toBe(value);
  });
  test('keeps the limits of a line', () => {
    expect(clearableLine.safeParse('x'.repeat(201)).success).toBe(false);
    expect(clearableLine.safeParse('a\0b').success).toBe(false);
    expect(clearableLine.safeParse(5).success).toBe(false);
  });
});

test('a flag is the word true or the word false', () => {
  expect(flag.parse('true')).toBe(true);
  expect(flag.parse('false')).toBe(false);
  for (const input of ['', '1', 'TRUE', 'yes', true]) expect(flag.safeParse(input).success).toBe(false);
});

test('an e-mail address is kept in lower case', () => {
  expect(email.parse('Ada.Berg@Mail.Example')).toBe('ada.berg@mail.example');
});

test('what pasting added is gone before a length or a pattern is checked', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  for (const pasted of [` ${address}`, `\u200b${address}`, `\u2066${address}\u2069`]) {
    expect(walletAddress.parse(pasted)).toBe(address);
    expect(hexAddress.parse(pasted)).toBe(address);
  }
  expect(messageFor(walletAddress, `${address}0`)).toBe('Invalid input: at most 42 characters');
  expect(email.parse(`${' '.repeat(300)}ada@bücher.example\u2069`)).toBe('ada@xn--bcher-kva.example');
  expect(telegramNumber.parse('\u200e123456 ')).toBe('123456');
  expect(line.parse('\u2066Ada\u2069')).toBe('Ada');
});

test.each(['0000-01-01', '+275760-09-13', '275760-09-13', '2026-02-30', '-0001-01-01'])(
  '%s is no day',
  (text) => {
    for (const schema of [day, moment]) expect(messageFor(schema, text)).toBe('Invalid input');
  },
);

test.each([
  '0000-01-01T00:00:00Z',
  '275760-09-13T00:00:00.001Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T24:00:00Z',
])('%s is no time', (text) => {
  for (const schema of [moment, storedTime]) expect(messageFor(schema, text)).toBe('Invalid input');
});

test.each([2 ** 31, 2 ** 53 + 2, 1e21, -1, 1.5])('%d is no version of a row', (version) => {
  expect(rowVersion.safeParse(version).success).toBe(false);
});

test.each(['1e5', '.5', '5.', '', '1,000', 'NaN', '0x1', ' 1'])('%j is no decimal string', (input) => {
  expect(decimalString.safeParse(input).success).toBe(false);
});
