import { expect, test } from 'vitest';
import { withinTokenLimits } from './token-limits.ts';

const asked = (requestId: string, memberId: string, units: bigint) => ({ requestId, memberId, units });
const nothing = { ofMember: new Map<string, bigint>(), ofPool: 0n };

test('without limits no program moves money', () => {
  expect(withinTokenLimits([asked('a', 'm', 1n)], { perMemberDay: 0n, perPoolDay: 0n }, nothing).size).toBe(
    0,
  );
});

test('a member and a pool have a limit each, and what was paid within the day counts', () => {
  const limits = { perMemberDay: 100n, perPoolDay: 150n };
  const paid = { ofMember: new Map([['m', 60n]]), ofPool: 60n };
  const requests = [asked('a', 'm', 41n), asked('b', 'm', 40n), asked('c', 'n', 51n), asked('d', 'n', 50n)];
  expect([...withinTokenLimits(requests, limits, paid)]).toEqual(['b', 'd']);
  // So does what is asked at once.
  const twice = [asked('a', 'm', 60n), asked('b', 'm', 41n), asked('c', 'm', 40n)];
  expect([...withinTokenLimits(twice, limits, nothing)]).toEqual(['a', 'c']);
});
