import { expect, test } from 'vitest';
import { GatewayError } from '../gateway.ts';
import { createBreaker } from './breaker.ts';

function setUp() {
  let nowMs = 1_000_000;
  const breaker = createBreaker(() => nowMs);
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) breaker.failed();
  };
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { breaker, fail, wait };
}

test('five failures in a row open it; an answer in between restarts the count', () => {
  const { breaker, fail } = setUp();
  fail(4);
  breaker.succeeded();
  fail(4);
  expect(breaker.state()).toBe('closed');
  fail(1);
  expect(breaker.state()).toBe('open');
  expect(() => breaker.enter()).toThrow(GatewayError);
  expect(breaker.refusal()).toMatchObject({
    code: 'venue_unavailable',
    retryAfterMs: 5_000,
    isRetryable: true,
  });
});

test('after a rest one request tries, and the others still fail', () => {
  const { breaker, fail, wait } = setUp();
  fail(5);
  wait(5_000);
  expect(breaker.state()).toBe('half_open');
  expect(breaker.enter()).toEqual({ isProbe: true });
  expect(breaker.refusal()?.code).toBe('venue_unavailable');
  breaker.succeeded();
  expect(breaker.enter()).toEqual({ isProbe: false });
});

test('every failed trial doubles the rest, up to two minutes', () => {
  const { breaker, fail, wait } = setUp();
  fail(5);
  const rests = [10_000, 20_000, 40_000, 80_000, 120_000, 120_000];
  for (const rest of rests) {
    wait(breaker.refusal()?.retryAfterMs ?? 0);
    breaker.enter();
    breaker.failed();
    expect(breaker.refusal()?.retryAfterMs).toBe(rest);
  }
});

test('requests that were under way when it opened do not make the rest longer', () => {
  const { breaker, fail } = setUp();
  fail(25);
  expect(breaker.refusal()?.retryAfterMs).toBe(5_000);
});

test('a trial that says nothing about the venue lets the next one try', () => {
  const { breaker, fail, wait } = setUp();
  fail(5);
  wait(5_000);
  breaker.left(breaker.enter().isProbe);
  expect(breaker.enter()).toEqual({ isProbe: true });
});

test('while the venue wants a pause, every error carries its length', () => {
  const { breaker, wait } = setUp();
  breaker.pause(600_000);
  wait(1_000);
  expect(breaker.state()).toBe('paused');
  expect(breaker.refusal()).toMatchObject({ code: 'rate_limited', retryAfterMs: 599_000 });
  wait(599_000);
  expect(breaker.refusal()).toBeNull();
});
