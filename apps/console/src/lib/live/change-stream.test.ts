import { expect, test } from 'vitest';
import { readChange } from './change-stream.ts';

test('reads an event, and nothing else', () => {
  const change = { topic: 'trader', id: '1', at: '2026-01-01T00:00:00Z' };
  expect(readChange(JSON.stringify(change))).toEqual(change);
  expect(readChange('not json')).toBeNull();
  expect(readChange('null')).toBeNull();
  expect(readChange('{"id":"1"}')).toBeNull();
});
