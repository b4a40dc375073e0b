import { globSync, readFileSync } from 'node:fs';
import { type Call, contract, type Entry } from '@copydesk/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ApiError, networkError, timeoutError } from './api-error.ts';
import { useOnceKey } from './once-key.ts';

type OnceKey = ReturnType<typeof useOnceKey>;

function Holder({ onKey }: { onKey(once: OnceKey): void }) {
  onKey(useOnceKey());
  return null;
}

function onceKey(): OnceKey {
  let held: OnceKey | undefined;
  renderToStaticMarkup(<Holder onKey={(once) => (held = once)} />);
  return held as OnceKey;
}

const refusal = (status: number, code: string) => new ApiError({ status, code, message: 'Refused' });

test.each([
  ['a timeout', timeoutError(), true],
  ['no answer', networkError(), true],
  ['a failure of the server', refusal(503, 'unavailable'), true],
  ['a request in flight', refusal(409, 'idempotency_in_flight'), true],
  ['a refusal', refusal(409, 'credit_changed'), false],
  ['a refusal with status 200', refusal(200, 'credit_changed'), false],
  [
    'a success that cannot be read',
    new ApiError({ status: 200, code: 'http_200', message: 'Unreadable', isWordless: true }),
    true,
  ],
])('after %s the same request has its key: %s', (_, failure, isSame) => {
  const once = onceKey();
  const key = once.keyOf({ amount: '1' });
  once.failed(failure);
  expect(once.keyOf({ amount: '1' }) === key).toBe(isSame);
});

test('another request has another key, and so has the same one once it took effect', () => {
  const once = onceKey();
  const key = once.keyOf({ amount: '1' });
  expect(once.keyOf({ amount: '2' })).not.toBe(key);
  const second = once.keyOf({ amount: '2' });
  once.done();
  expect(once.keyOf({ amount: '2' })).not.toBe(second);
});

const SOURCE = new URL('../../', import.meta.url).pathname;
const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
  .filter((name) => !name.includes('.test.'))
  .map((name) => ({ name, text: readFileSync(SOURCE + name, 'utf8') }));

/** Makes one key for each part of a bulk act, which its dialog holds. */
const OF_BULK = 'features/invoices/acts/send-act.ts';

test('each call that honours a key gets one that outlives a failed request', () => {
  const honouring = (Object.entries(contract) as [Call, Entry][]).filter(([, { idempotent }]) => idempotent);
  const calls = files.flatMap(({ name, text }) =>
    honouring.filter(([key]) => text.includes(`call('${key}'`)).map(([key]) => ({ name, key, text })),
  );
  expect(calls.length).toBeGreaterThan(30);
  const without = calls.filter(({ text }) => !/keyOf\(|\bidempotencyKey\b/.test(text));
  expect(without.map(({ name, key }) => `${name}: ${key}`)).toEqual([]);
  const making = files.filter(({ text }) => text.includes('randomUUID')).map(({ name }) => name);
  expect(making.toSorted()).toEqual([OF_BULK, 'lib/api/once-key.ts']);
});
