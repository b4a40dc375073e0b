import { describe, expect, test } from 'vitest';
import { classifyRefusal, isOfServer, pauseAfterRefusals, REFUSALS, tipFloorAfter } from './send-refusals.ts';

/** Sentences as servers say them, by their meaning. */
const SAID: readonly [expected: string, sentence: string][] = [
  ['known', 'already known'],
  ['known', 'known transaction: 5f2c'],
  ['known', 'Transaction with the same hash was already imported.'],
  ['known', 'AlreadyKnown'],
  ['known', 'ALREADY_EXISTS: already in txpool'],
  ['fee_too_low', 'transaction underpriced'],
  ['fee_too_low', 'transaction underpriced: gas tip cap 50000000, minimum needed 1000000000'],
  ['fee_too_low', 'transaction gas price below minimum: gas tip cap 50000000, minimum needed 1000000000'],
  ['fee_too_low', 'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 2'],
  ['fee_too_low', 'max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1, baseFee: 7'],
  ['fee_too_low', 'Gas price below configured minimum gas price'],
  ['replacement_too_low', 'replacement transaction underpriced'],
  ['replacement_too_low', 'ReplacementNotAllowed'],
  ['replacement_too_low', 'INTERNAL_ERROR: could not replace existing tx'],
  ['nonce_used', 'nonce too low: next nonce 9, tx nonce 3'],
  ['nonce_used', 'OldNonce, Current nonce: 9, nonce of rejected tx: 3'],
  ['nonce_ahead', 'nonce too high: address 0x1, tx: 9 state: 3'],
  ['nonce_ahead', 'NonceGap, Future nonce. Expected nonce: 3'],
  ['no_coin', 'insufficient funds for gas * price + value: balance 0, tx cost 2, overshot 2'],
  ['no_coin', 'InsufficientFunds, Balance is 0 less than sending value + gas'],
  ['no_coin', 'Upfront cost exceeds account balance'],
  ['pool_full', 'txpool is full'],
  ['pool_full', 'transaction pool limit exceeded'],
  ['rate_limited', 'daily request count exceeded, request rate limited'],
  ['rate_limited', 'Too Many Requests'],
  ['rate_limited', 'Your app has exceeded its compute units per second capacity'],
  ['cost_capped', 'tx fee (1.50 ether) exceeds the configured cap (1.00 ether)'],
  ['cost_capped', 'exceeds block gas limit'],
  ['not_served', 'the method eth_sendRawTransaction does not exist/is not available'],
  ['not_served', 'node is not synced'],
  ['not_valid', 'invalid sender'],
  ['not_valid', 'invalid chain id for signer: have 97 want 56'],
  ['unknown', 'internal error'],
];

test.each(SAID)('%s: %s', (expected, sentence) => {
  expect(classifyRefusal(sentence)).toBe(expected);
});

/** The same in other words: with and without an article, a verb or a blank. */
const VARIED: readonly [expected: string, ...sentences: string[]][] = [
  ['known', 'transaction already in pool', 'transaction already in the txpool'],
  ['nonce_used', 'nonce has already been used', 'nonce already used', 'invalid nonce; got 3, expected 9'],
  ['cost_capped', 'gas limit too high', 'gas limit is too high'],
  ['fee_too_low', 'fee too low', 'FeeTooLow', 'gas price too low', 'transaction gas price is too low'],
  ['fee_too_low', 'tip is below minimum', 'tip is below the minimum', 'tip is below the configured minimum'],
  ['fee_too_low', 'MaxFeePerGas too low', 'max fee per gas is too low', 'maximum fee per gas too low'],
  ['fee_too_low', 'MaxPriorityFeePerGas too low', 'max priority fee per gas is too low'],
  ['pool_full', 'transaction pool full'],
  ['rate_limited', 'ratelimited', 'rate limited', 'rate-limited'],
  ['not_served', 'method not found', 'method eth_sendRawTransaction is not supported', 'status code 403'],
  ['not_valid', 'chainId mismatch', 'wrong chain id'],
];

test.each(VARIED)('%s, in other words', (expected, ...sentences) => {
  expect(sentences.map(classifyRefusal)).toEqual(sentences.map(() => expected));
});

test('every kind of refusal has a sentence', () => {
  const said = new Set(SAID.map(([kind]) => kind));
  expect(REFUSALS.filter((kind) => !said.has(kind))).toEqual([]);
});

test('a refusal of one transaction does not speak of all of them', () => {
  expect(REFUSALS.filter((kind) => !isOfServer(kind))).toEqual([
    'replacement_too_low',
    'nonce_used',
    'nonce_ahead',
    'no_coin',
  ]);
});

describe('the lowest tip that a server takes', () => {
  const LIMIT = 20_000_000_000n;
  const floorOf = (sentence: string, tip = 50_000_000n) => tipFloorAfter(sentence, tip, LIMIT);

  test('is the one that it names', () => {
    expect(floorOf('transaction underpriced: gas tip cap 50000000, minimum needed 1000000000')).toBe(
      1_000_000_000n,
    );
    expect(floorOf('transaction underpriced: tip needed 1000000000, tip permitted 50000000')).toBe(
      1_000_000_000n,
    );
  });

  test.each([
    'minimum 1000000000',
    'minimum is 1000000000',
    'minimum required: 1000000000',
    'minimum gas price 1000000000',
    'minimum gas price is 1000000000',
    'at least 1000000000',
  ])('is the one that it names: %s', (sentence) => {
    expect(floorOf(sentence)).toBe(1_000_000_000n);
  });

  test('may be the limit', () => {
    expect(floorOf(`minimum needed ${LIMIT}`)).toBe(LIMIT);
  });

  test.each(['3.5 gwei', '3 gwei', '3  gwei', '3.5'])('is not taken for wei: %s', (named) => {
    expect(floorOf(`minimum needed: ${named}`, 1n)).toBe(2n);
  });

  test('is twice the refused one when it names none, or one that is no higher, or beyond the limit', () => {
    expect(floorOf('transaction underpriced')).toBe(100_000_000n);
    expect(floorOf('gas tip cap 50000000, minimum needed 50000000')).toBe(100_000_000n);
    expect(floorOf('minimum needed 99999999999999999999999')).toBe(100_000_000n);
    expect(floorOf('minimum needed: 1.5 gwei')).toBe(100_000_000n);
    expect(floorOf('transaction underpriced', 0n)).toBe(1n);
  });

  test('never exceeds the limit', () => {
    expect(floorOf('transaction underpriced', 19_000_000_000n)).toBe(LIMIT);
  });
});

test('bytes that are refused again and again are sent ever more rarely', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map((refusals) => pauseAfterRefusals(refusals, 10_000))).toEqual([
    10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000,
  ]);
});
