import { describe, expect, test } from 'vitest';
import {
  CHAIN_START,
  type ChainedEntry,
  canonicalEntry,
  chainHash,
  entryHash,
  type KeyedEntry,
  linkHash,
  ownHash,
  ownSealHash,
  sealHash,
} from './entry-hashes.ts';

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

const keyed: KeyedEntry = {
  ...entry,
  at: '2026-03-01T10:00:00.000000Z',
  before: '{"status": "pending", "tags": ["a", "b"], "nested": {"x": 1, "y": null}}',
  after: '{"status": "connected"}',
  keyed_by: 'worker',
};
const ownOf = (changed: Partial<KeyedEntry> = {}, previous = CHAIN_START, secret = key) =>
  ownHash(secret, previous, canonicalEntry(2, { ...keyed, ...changed })).toString('hex');

test('the hashes of version 2 never change either', () => {
  const content = canonicalEntry(2, keyed);
  expect(content).toBe(
    '[2,"1","2026-03-01T10:00:00.000000Z","worker","user","u1","ada@mail.example",null,"trader.status_changed","trader","t1",' +
      '[{"nested":{"x":1,"y":null},"status":"pending","tags":["a","b"]}],[{"status":"connected"}]]',
  );
  const own = ownHash(key, CHAIN_START, content);
  expect(own.toString('hex')).toBe('3d1cc81ef67088b911bf16bdefa3192506f6997248cd9f0466bf48e6b29d674c');
  expect(linkHash(key, CHAIN_START, own, content).toString('hex')).toBe(
    '374476a44e9f751a15f0c519fa87dd665475f5613cdd3ea81c6c3ab481161996',
  );
});

describe('in version 2 another hash comes of', () => {
  test.each(Object.keys(keyed))('another %s', (field) => {
    const other = field === 'before' || field === 'after' ? '"other"' : 'other';
    expect(ownOf({ [field]: other })).not.toBe(ownOf());
  });
  test('a microsecond', () => expect(ownOf({ at: '2026-03-01T10:00:00.000001Z' })).not.toBe(ownOf()));
  test('JSON null in place of NULL', () =>
    expect(ownOf({ before: 'null' })).not.toBe(ownOf({ before: null })));
  test('a value that moved to the field beside it', () => {
    expect(ownOf({ before: null, after: keyed.before })).not.toBe(
      ownOf({ before: keyed.before, after: null }),
    );
    expect(ownOf({ before: '1', after: null })).not.toBe(ownOf({ before: null, after: '1' }));
  });
  test('a number with other digits, even beyond those of a double', () => {
    expect(ownOf({ after: '{"n": 1.0}' })).not.toBe(ownOf({ after: '{"n": 1}' }));
    expect(ownOf({ after: '9007199254740993' })).not.toBe(ownOf({ after: '9007199254740992' }));
  });
  test('another entry before it', () => expect(ownOf({}, Buffer.alloc(32, 9))).not.toBe(ownOf()));
  test('another own hash', () =>
    expect(linkHash(key, CHAIN_START, Buffer.from(ownOf(), 'hex'), 'x')).not.toEqual(
      linkHash(key, CHAIN_START, Buffer.alloc(32), 'x'),
    ));
});

test('nor do those of version 3 and of seals', () => {
  const content = canonicalEntry(3, keyed);
  expect(content).toBe(canonicalEntry(2, keyed).replace('[2,', '[3,'));
  const own = entryHash(key, content);
  expect(own.toString('hex')).toBe('810f94e50226a32a72d4502b5cf42e96736f7f587f0fe0780acab7f11310a9e8');
  const sealed = { position: 7n, own, content };
  const ownSeal = ownSealHash(key, CHAIN_START, sealed);
  expect(ownSeal.toString('hex')).toBe('d779387427441710795b36c0f8d94d988f2ca5b33a7b56f88fe44a8351a6b0e1');
  expect(sealHash(key, CHAIN_START, ownSeal, sealed).toString('hex')).toBe(
    'd2c0ca02a918fc4befb91a9380dd48d5b76e896f4bd080086e111e41270cce5f',
  );
});

describe('another hash of a seal comes of', () => {
  const sealed = { position: 7n, own: Buffer.alloc(32, 3), content: 'x' };
  const first = Buffer.alloc(32, 9);
  const hashes = (changed: object = {}, previous = CHAIN_START) =>
    [ownSealHash, (...all: Parameters<typeof ownSealHash>) => sealHash(all[0], all[1], first, all[2])].map(
      (hash) => hash(key, previous, { ...sealed, ...changed }).toString('hex'),
    );
  test.each([
    ['another position', { position: 8n }, CHAIN_START],
    ['another own hash', { own: Buffer.alloc(32, 4) }, CHAIN_START],
    ['another content', { content: 'y' }, CHAIN_START],
    ['another position before it', {}, first],
  ])('%s', (_, changed, previous) => {
    for (const [i, hash] of hashes(changed, previous).entries()) expect(hash).not.toBe(hashes()[i]);
  });
  test('another own seal', () =>
    expect(sealHash(key, CHAIN_START, first, sealed)).not.toEqual(
      sealHash(key, CHAIN_START, CHAIN_START, sealed),
    ));
  test('the other kind', () => expect(hashes()[0]).not.toBe(hashes()[1]));
});

test('text as JavaScript and as PostgreSQL write it has the same hash', () => {
  const after = { b: [1e21, 1.5e-7, -2.25], a: { 'ä "quoted"': null, z: true } };
  const stored =
    '{"a": {"z": true, "ä \\"quoted\\"": null}, "b": [1000000000000000000000, 0.00000015, -2.25]}';
  expect(ownOf({ after: JSON.stringify(after) })).toBe(ownOf({ after: stored }));
});
