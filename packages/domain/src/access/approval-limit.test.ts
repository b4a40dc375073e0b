import fc from 'fast-check';
import { expect, test } from 'vitest';
import { needsApproval } from './approval-limit.ts';

const nothing = { byCommunity: 0n, byPerson: 0n };

test.each([
  { name: 'up to the limit', units: 100n, lately: nothing, above: 100n, needed: false },
  { name: 'above the limit', units: 101n, lately: nothing, above: 100n, needed: true },
  { name: 'no limit', units: 10n ** 30n, lately: nothing, above: null, needed: false },
  {
    name: 'the community ordered before, through others',
    units: 1n,
    lately: { byCommunity: 100n, byPerson: 0n },
    above: 100n,
    needed: true,
  },
  {
    name: 'the person ordered before, in other communities',
    units: 1n,
    lately: { byCommunity: 0n, byPerson: 100n },
    above: 100n,
    needed: true,
  },
  {
    name: 'both, and still room',
    units: 1n,
    lately: { byCommunity: 99n, byPerson: 99n },
    above: 100n,
    needed: false,
  },
])('$name', ({ units, lately, above, needed }) => {
  expect(needsApproval(units, lately, above)).toBe(needed);
});

test('no split of an amount takes more than the limit out without approval', () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { maxLength: 30 });
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: 5_000n }), (parts, above) => {
      let ordered = 0n;
      let unapproved = 0n;
      for (const units of parts) {
        if (!needsApproval(units, { byCommunity: ordered, byPerson: 0n }, above)) unapproved += units;
        ordered += units;
      }
      return unapproved <= above;
    }),
  );
});
