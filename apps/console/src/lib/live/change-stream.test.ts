import { expect, test } from 'vitest';
import { readChange } from './change-stream.ts';

test('reads an event, and nothing else', () => {
  const at = '2026-01-01T00:00:00Z';
  const changes = [
    { topic: 'trader', id: '1', trader_id: null, at },
    { topic: 'trader', id: null, trader_id: null, at },
    { topic: 'invoice', id: null, trader_id: '1', at },
    { topic: 'payout', id: '2', trader_id: null, at },
    { topic: 'own_setting', id: null, trader_id: null, at },
    { topic: 'reset', id: null, trader_id: null, at },
  ];
  for (const change of changes) expect(readChange(JSON.stringify(change))).toEqual(change);
  expect(readChange('not json')).toBeNull();
  expect(readChange('null')).toBeNull();
  expect(readChange('{"id":"1"}')).toBeNull();
});

test('a change of a newer server is one without a name, and never one with the wrong fields', () => {
  const at = '2026-01-01T00:00:00Z';
  const changes = [
    { topic: 'comet', id: '1', trader_id: null, at },
    { topic: 'toString', id: '1', trader_id: null, at },
    { topic: 'invoice', id: '1', trader_id: null, at },
    { topic: 'payout', id: null, trader_id: null, at },
    { topic: 'reset', id: '1', trader_id: null, at },
    { topic: 'trader', id: 1, trader_id: null, at },
  ];
  for (const change of changes) expect(readChange(JSON.stringify(change))).toEqual({ topic: 'unknown', at });
});
