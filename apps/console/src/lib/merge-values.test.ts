import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeValues } from './merge-values.ts';

const BASE = { name: 'Ada', rate: '0.1', isOpen: true, providers: ['a', 'b'] };

test('what was not touched takes the present value, what was typed is kept', () => {
  const { values, conflicts } = mergeValues(
    BASE,
    { ...BASE, name: 'Grace' },
    { ...BASE, rate: '0.2', isOpen: false },
  );
  expect(values).toEqual({ ...BASE, name: 'Grace', rate: '0.2', isOpen: false });
  expect(conflicts).toEqual([]);
});

test('two changes of one field are a conflict, unless they are the same', () => {
  const mine = { ...BASE, name: 'Grace', rate: '0.3' };
  const { values, conflicts } = mergeValues(BASE, mine, { ...BASE, name: 'Lovelace', rate: '0.3' });
  expect([values, conflicts]).toEqual([mine, ['name']]);
});

test('what one person took from a list does not come back with what another added', () => {
  const merged = mergeValues(
    BASE,
    { ...BASE, providers: ['a', 'b', 'c'] },
    { ...BASE, providers: ['b', 'd'] },
  );
  expect(merged).toEqual({ values: { ...BASE, providers: ['b', 'd', 'c'] }, conflicts: [] });
  const taken = mergeValues(BASE, { ...BASE, providers: ['b'] }, { ...BASE, providers: ['a', 'b', 'd'] });
  expect(taken.values.providers).toEqual(['b', 'd']);
});

test('whoever changed nothing sees the record; whoever alone changed it, the own values', () => {
  const values = fc.record({
    name: fc.string(),
    isOpen: fc.boolean(),
    providers: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
  });
  fc.assert(
    fc.property(values, values, (base, other) => {
      expect(mergeValues(base, base, other).values).toEqual(other);
      expect(mergeValues(base, other, base).values).toEqual(other);
      expect(mergeValues(base, other, other)).toEqual({ values: other, conflicts: [] });
    }),
  );
});
