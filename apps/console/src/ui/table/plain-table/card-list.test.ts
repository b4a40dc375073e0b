import { expect, test } from 'vitest';
import { fillsLine } from './card-list.tsx';

const lines = (places: string) => {
  const fields = [...places].map((place) => ({ column: place === 'L' ? { onCard: 'line' } : {} }));
  return fields.map((_, index) => (fillsLine(fields, index) ? '1' : '½')).join('');
};

test('fields share a line in pairs', () => {
  expect(lines('ff')).toBe('½½');
  expect(lines('ffff')).toBe('½½½½');
  expect(lines('ffLff')).toBe('½½1½½');
});

test('a field without a neighbour has the whole line', () => {
  expect(lines('f')).toBe('1');
  expect(lines('fff')).toBe('½½1');
  expect(lines('fLff')).toBe('11½½');
  expect(lines('LfLf')).toBe('1111');
});
