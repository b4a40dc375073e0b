import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PoolMember } from '../pools-queries.ts';
import { amountProblem, WithdrawalFacts } from './withdraw-dialog.tsx';

const member = (payout_address: string | null) =>
  ({ virtual_balance: '1234.5', payout_address }) as PoolMember;

test('the whole stored address is read in groups of four, beside the balance', () => {
  const shown = renderToStaticMarkup(
    <WithdrawalFacts member={member('0x52908400098527886E0F7030069857D2E4169EE7')} />,
  );
  expect(shown).toContain('1,234.50 USDT');
  const groups = [...shown.matchAll(/>(0x|[\dA-F]{4})</g)].map(([, group]) => group);
  expect(groups.join(' ')).toBe('0x 5290 8400 0985 2788 6E0F 7030 0698 57D2 E416 9EE7');
});

test('without a stored address the dialog says so, and that the bot asks', () => {
  const shown = renderToStaticMarkup(<WithdrawalFacts member={member(null)} />);
  expect(shown).toContain('No address is stored. The withdrawal waits for one, and the bot asks the member.');
});

test.each([
  ['', 'Enter an amount above 0'],
  ['0.00', 'Enter an amount above 0'],
  ['-5', 'Enter an amount above 0'],
  ['1e3', 'Enter an amount above 0'],
  ['1234.500000000000000001', 'More than the virtual balance of 1,234.50 USDT'],
  ['1234.5', null],
  [' 1 ', null],
])('of 1,234.50 the amount "%s" is refused with: %s', (amount, problem) => {
  expect(amountProblem(amount, '1234.5')).toBe(problem);
});
