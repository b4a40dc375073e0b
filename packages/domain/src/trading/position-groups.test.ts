import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupByAccount } from './position-groups.ts';

const position = fc.record({
  acc_uid: fc.constantFrom('1', '2', '3'),
  exchange: fc.constantFrom('bybit', 'okx'),
  provider_name: fc.constant('Hexline'),
  unrealizedPnl: fc.option(fc.integer({ min: -500, max: 500 }).map(String), { nil: null }),
});

test('every position is in the group of its account, and the sums are exact', () => {
  fc.assert(
    fc.property(fc.array(position), (positions) => {
      const groups = groupByAccount(positions);
      expect(groups.flatMap((group) => group.positions)).toHaveLength(positions.length);
      expect(new Set(groups.map((group) => `${group.exchange}:${group.acc_uid}`)).size).toBe(groups.length);
      for (const group of groups) {
        const known = group.positions.flatMap(({ unrealizedPnl }) => unrealizedPnl ?? []);
        const sum = known.reduce((total, pnl) => total + Number(pnl), 0);
        expect(group.totalPnl).toBe(known.length > 0 ? String(sum) : null);
        expect(group.positions.every(({ acc_uid }) => acc_uid === group.acc_uid)).toBe(true);
      }
    }),
  );
});

test('accounts of the same number on two exchanges are two groups, in the order given', () => {
  const of = (exchange: string) => ({ acc_uid: '7', exchange, provider_name: 'P', unrealizedPnl: '1.5' });
  const groups = groupByAccount([of('okx'), of('bybit'), of('okx')]);
  expect(groups.map(({ exchange, totalPnl }) => [exchange, totalPnl])).toEqual([
    ['okx', '3'],
    ['bybit', '1.5'],
  ]);
});
