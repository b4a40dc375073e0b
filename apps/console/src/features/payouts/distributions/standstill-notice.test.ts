import { expect, test } from 'vitest';
import { standstillWords } from './standstill-notice.tsx';

const standstill = {
  reason: 'gas_wallet_empty',
  detail: null,
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  step: 'consolidate',
  since: '2026-01-02T10:00:00.000Z',
  usual_seconds: 42,
} as const;

test('a standstill shows since when, the usual duration, and the next step', () => {
  const now = new Date('2026-01-02T10:12:00.000Z');
  expect(standstillWords(standstill, now)).toEqual({
    title: 'Collecting from deposit addresses: no progress for 12 min, usually done in 42 s',
    text: 'The wallet that pays for gas is empty. Send BNB to it.',
  });
  expect(standstillWords({ ...standstill, usual_seconds: null }, now).title).toBe(
    'Collecting from deposit addresses: no progress for 12 min',
  );
});
