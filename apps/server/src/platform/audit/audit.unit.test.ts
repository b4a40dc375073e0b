import { describe, expect, test } from 'vitest';
import { CHAIN_START, type ChainedEntry, chainHash } from './audit.ts';

const key = Buffer.alloc(32, 1);
const entry: ChainedEntry = {
  seq: '1',
  at: '2026-03-01T10:00:00.000Z',
  actor_kind: 'user',
  actor_id: 'u1',
  actor_name: 'ada@mail.example',
  action: 'trader.status_changed',
  target_kind: 'trader',
  target_id: 't1',
  before: { status: 'pending', tags: ['a', 'b'], nested: { x: 1, y: null } },
  after: { status: 'connected' },
  request_id: null,
};
const hash = (changed: Partial<ChainedEntry> = {}, previous = CHAIN_START, secret = key) =>
  chainHash(secret, previous, { ...entry, ...changed }).toString('hex');

test('the hash of an entry never changes: stored chains are verified with it', () => {
  expect(hash()).toBe('37ea4c99d61ac76edc8cd2596c63cfb78eae885e1fd1af8f10a0305d276abfc3');
});

describe('another hash comes of', () => {
  test.each(Object.keys(entry))('another %s', (field) => {
    expect(hash({ [field]: 'other' })).not.toBe(hash());
  });
  test('another key', () => expect(hash({}, CHAIN_START, Buffer.alloc(32, 2))).not.toBe(hash()));
  test('another entry before it', () => expect(hash({}, Buffer.alloc(32, 9))).not.toBe(hash()));
  test('a value that moved to the field beside it', () => {
    expect(hash({ actor_id: 'u', actor_name: '1ada@mail.example' })).not.toBe(hash());
    expect(hash({ before: entry.after, after: entry.before })).not.toBe(hash());
  });
  test('a number that became text', () => {
    expect(hash({ after: { n: '1' } })).not.toBe(hash({ after: { n: 1 } }));
  });
  test('a list in another order', () => {
    expect(hash({ after: ['b', 'a'] })).not.toBe(hash({ after: ['a', 'b'] }));
  });
});

test('the order of keys does not matter at any depth: jsonb does not keep it', () => {
  const before = { nested: { y: null, x: 1 }, tags: ['a', 'b'], status: 'pending' };
  expect(hash({ before })).toBe(hash());
  expect(hash({ after: [{ a: 1, b: 2 }] })).toBe(hash({ after: [{ b: 2, a: 1 }] }));
});
