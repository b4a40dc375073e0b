import { expect, test } from 'vitest';
import { chainWords } from './chain-texts.ts';

test('what the chain knows is said in one line, and no answer is no warning', () => {
  const read = { read_at: '2026-01-20T10:00:00.000Z', is_contract: false, is_token: false, is_used: true };
  expect(chainWords(null)).toEqual({ text: 'Not yet read on the chain', isWarning: false });
  expect(chainWords(read).text).toBe('Used on this chain before');
  expect(chainWords({ ...read, is_used: false }).isWarning).toBe(true);
  expect(chainWords({ ...read, is_contract: true })).toEqual({
    text: 'A contract, such as a Safe or that of an exchange',
    isWarning: false,
  });
  expect(chainWords({ ...read, is_contract: true, is_token: true }).isWarning).toBe(true);
});
