import { expect, test } from 'vitest';
import { decidePoolKey, POOL_KEY_REFUSALS } from './pool-key.ts';

const GOOD = {
  mayWithdraw: false,
  leavingPermissions: [],
  isReadOnly: false,
  mayMove: true,
  isUnified: true,
  region: null,
};

test.each([
  [{}, null],
  [{ isUnified: null }, null],
  [{ mayWithdraw: true, leavingPermissions: ['Wallet.Withdraw'] }, 'may_withdraw'],
  [{ leavingPermissions: ['Wallet.SubMemberTransfer'] }, 'money_may_leave'],
  [{ isReadOnly: true }, 'cannot_move'],
  [{ mayMove: false }, 'cannot_move'],
  [{ isUnified: false }, 'classic_account'],
  [{ region: 'kz' }, null],
  [{ region: 'eu' }, 'region_without_pools'],
])('a key with %j: %s', (changes, refusal) => {
  expect(decidePoolKey({ ...GOOD, ...changes })).toBe(refusal);
  // A refusal names the change to make.
  if (refusal !== null)
    expect(POOL_KEY_REFUSALS[refusal as keyof typeof POOL_KEY_REFUSALS]).toMatch(/Create|Upgrade/);
});
