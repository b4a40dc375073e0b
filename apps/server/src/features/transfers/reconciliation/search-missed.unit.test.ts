import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchMissed } from './search-missed.ts';

const missedAmong =
  (missed: readonly { block: bigint; units: bigint }[], asked: bigint[]) => async (after: bigint) => {
    asked.push(after);
    return missed.reduce((sum, { block, units }) => (block > after ? sum + units : sum), 0n);
  };

test('finds every block with a missed transfer, whether or not the sum is known', async () => {
  const blocks = fc.uniqueArray(fc.bigInt({ min: 101n, max: 400_000n }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(blocks, fc.boolean(), async (wanted, isKnown) => {
      const missed = wanted.map((block, n) => ({ block, units: BigInt(n + 1) }));
      const total = missed.reduce((sum, { units }) => sum + units, 0n);
      const { blocks: found, failure } = await searchMissed({
        after: 100n,
        to: 400_000n,
        totalUnits: isKnown ? total : null,
        missedAfter: missedAmong(missed, []),
      });
      expect(failure).toBeNull();
      expect(found).toEqual([...wanted].sort((a, b) => Number(b - a)));
    }),
    { numRuns: 200 },
  );
});

test('a recent transfer is found among recent blocks, with few questions', async () => {
  const asked: bigint[] = [];
  const missedAfter = missedAmong([{ block: 399_960n, units: 5n }], asked);
  const search = { after: 100n, to: 400_000n, totalUnits: 5n, missedAfter };
  expect((await searchMissed(search)).blocks).toEqual([399_960n]);
  expect(asked.length).toBeLessThan(16);
  expect(asked.every((block) => block > 399_900n)).toBe(true);
});

test('what was found before a server fails is kept', async () => {
  const missedAfter = async (after: bigint) => {
    if (after < 399_000n) throw new Error('missing trie node');
    return after < 399_990n ? 3n : 0n;
  };
  const { blocks, failure } = await searchMissed({ after: 100n, to: 400_000n, totalUnits: 9n, missedAfter });
  expect(blocks).toEqual([399_990n]);
  expect(failure).toEqual(new Error('missing trie node'));
});
