import { expect, test } from 'vitest';
import { timeTable } from './time-table.ts';

const FILES: Record<string, { file: string; seconds: number }[]> = {
  unit: [{ file: 'money.test.ts', seconds: 2 }],
  server: Array.from({ length: 12 }, (_, nth) => ({ file: `${nth}.test.ts`, seconds: nth })),
};

test('the steps in their order, then the ten slowest files of all of them', () => {
  const table = timeTable(
    new Map([
      ['format', 3.2],
      ['unit', 20],
      ['server', 700.6],
    ]),
    (step) => FILES[step] ?? [],
  );
  expect(table.split('\n')).toEqual([
    'Seconds of the steps:',
    '     3  format',
    '    20  unit',
    '   701  server',
    'Slowest files:',
    ...[11, 10, 9, 8, 7, 6, 5, 4, 3].map((nth) => `${String(nth).padStart(6)}  ${nth}.test.ts (server)`),
    '     2  money.test.ts (unit)',
  ]);
});

test('checks without test files have no slowest ones', () => {
  expect(timeTable(new Map([['format', 3.2]]), () => [])).toBe('Seconds of the steps:\n     3  format');
});
