import { expect, test } from 'vitest';
import { z } from 'zod';
import { GatewayError } from '../gateway.ts';
import {
  decimal,
  identifier,
  optionalDecimal,
  optionalTimeMs,
  plainNumber,
  readShape,
  timeMs,
} from './read-shape.ts';

const schema = z.object({
  id: identifier,
  price: decimal,
  at: timeMs,
  liq: optionalDecimal,
  opened: optionalTimeMs,
});
const ROW = { id: 7, price: 1.5, at: '1700000000000' };

test('an optional value is null, however it is missing', () => {
  const expected = { id: '7', price: '1.5', at: 1_700_000_000_000, liq: null, opened: null };
  expect(readShape(schema, ROW)).toEqual(expected);
  expect(readShape(schema, { ...ROW, liq: '', opened: '' })).toEqual(expected);
  expect(readShape(schema, { ...ROW, liq: null, opened: 0 })).toEqual(expected);
  expect(readShape(schema, { ...ROW, liq: undefined, opened: '0' })).toEqual(expected);
});

test.each([
  { id: undefined },
  { id: 2 ** 60 },
  { id: 'a b' },
  { id: '' },
  { price: undefined },
  { price: '' },
  { price: 'canary' },
  { price: Number.NaN },
  { at: undefined },
  { at: 0 },
  { at: '1.5' },
  { at: 'now' },
  { at: -1 },
  { liq: 'none' },
])('anything else is a bad response that shows nothing of it: %j', (wrong) => {
  const read = () => readShape(schema, { ...ROW, ...wrong });
  expect(read).toThrow(GatewayError);
  expect(read).toThrow(/^bad_response$/);
});

test('a number is one in quotes too: the parser quotes all of an answer with one above 2^53', () => {
  const flags = z.object({
    readOnly: plainNumber.pipe(z.union([z.literal(0), z.literal(1)])),
    days: plainNumber.nullish(),
  });
  expect(readShape(flags, JSON.parse('{"readOnly":"1","days":"-3"}'))).toEqual({ readOnly: 1, days: -3 });
  expect(readShape(flags, { readOnly: 0, days: null })).toEqual({ readOnly: 0, days: null });
  for (const readOnly of ['2', '', 'NaN', '1e999', null, {}, Number.NaN])
    expect(() => readShape(flags, { readOnly })).toThrow(GatewayError);
});
