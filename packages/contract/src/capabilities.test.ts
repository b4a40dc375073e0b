import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { contract } from './index.ts';

const calls = Object.entries<Entry>(contract);

test('every call for staff needs a capability, and no other call has one', () => {
  const wrong = calls.filter(
    ([, { permission, capability }]) => (permission === 'staff') !== Boolean(capability),
  );
  expect(wrong.map(([call]) => call)).toEqual([]);
});

test('only reading calls need a reading capability, except for what a person keeps for itself', () => {
  const changing = calls
    .filter(([call, { capability }]) => capability?.endsWith(':read') && !call.startsWith('GET '))
    .map(([call]) => call);
  expect(changing).toEqual([
    'POST /api/saved-views',
    'PUT /api/saved-views/default',
    'DELETE /api/saved-views/{id}',
    'PUT /api/notes/done',
  ]);
});

test('whoever may not export has no other way to a file', () => {
  const files = calls.filter(([, { answer, permission }]) => 'stream' in answer && permission === 'staff');
  const free = files.filter(
    ([call, { capability }]) => capability !== 'data:export' && call !== 'GET /api/events',
  );
  expect(free).toEqual([]);
});

test('a program needs a capability that its scope names', () => {
  const differing = calls.filter(
    ([, { capability, serviceScope }]) => capability && serviceScope && capability !== serviceScope,
  );
  expect(differing.map(([call]) => call)).toEqual([]);
});
