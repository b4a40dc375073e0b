import { expect, test } from 'vitest';
import { actionWords, auditChanges } from './audit-panel.tsx';

test('an action reads as words', () => {
  expect(actionWords('exchange.credential_revealed')).toBe('Exchange credential revealed');
});

test('lists only changed fields', () => {
  const before = { status: 'pending', name: 'Ada', reference_number: null };
  const after = { status: 'connected', name: 'Ada', reference_number: 'KAIT-1', tags: ['a'] };
  expect(auditChanges({ before, after })).toEqual([
    { field: 'status', from: 'pending', to: 'connected' },
    { field: 'reference number', from: null, to: 'KAIT-1' },
    { field: 'tags', from: null, to: '["a"]' },
  ]);
  expect(auditChanges({ before: null, after: null })).toEqual([]);
});
