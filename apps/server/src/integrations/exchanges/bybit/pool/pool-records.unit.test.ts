import { expect, test } from 'vitest';
import { depositState, readBybitDeposits } from './pool-deposits.ts';
import { readBybitTransfer } from './pool-moves.ts';
import { readBybitWithdrawals } from './pool-withdrawals.ts';

/** Fields of https://bybit-exchange.github.io/docs/v5/asset/deposit/deposit-record */
const DEPOSIT = {
  id: '1319723',
  coin: 'USDT',
  chain: 'BSC',
  amount: '10000.000000000000000001',
  txID: '0xABCD',
  status: 3,
  toAddress: '0xto',
  tag: '',
  depositFee: '',
  successAt: '1672134274000',
  confirmations: '10000',
  txIndex: '',
  blockHash: '',
  batchReleaseLimit: '-1',
  depositType: '0',
  fromAddress: '',
};
const deposits = (over: object) =>
  readBybitDeposits({ retCode: 0, result: { rows: [{ ...DEPOSIT, ...over }], nextPageCursor: '' } });

test('a deposit keeps every digit', () => {
  expect(deposits({})).toEqual({
    nextCursor: null,
    rows: [
      {
        id: '1319723',
        chain: 'BSC',
        txId: '0xabcd',
        amountUnits: 10_000_000_000_000_000_000_001n,
        feeUnits: null,
        toAddress: '0xto',
        status: 3,
        state: 'credited',
        problem: null,
        creditedAt: 1_672_134_274_000,
      },
    ],
  });
  expect(deposits({ amount: '1e-7', depositFee: '0.5' }).rows[0]).toMatchObject({
    amountUnits: 100_000_000_000n,
    feeUnits: 500_000_000_000_000_000n,
  });
});

test.each([
  [0, '0', 'unknown', null],
  [1, '0', 'under_way', null],
  [2, '0', 'under_way', null],
  [3, '0', 'credited', null],
  [4, '0', 'problem', 'failed'],
  [7, '0', 'problem', 'rolling_back'],
  [10_011, '0', 'under_way', null],
  [10_012, '0', 'under_way', null],
  [70_011, '0', 'problem', 'rolled_back'],
  [70_012, '0', 'credited', null],
  [70_013, '0', 'problem', 'rollback_failed'],
  [12_345, '0', 'unknown', null],
  // Held by the venue, whatever the status says.
  [3, '10', 'problem', 'daily_limit'],
  [3, '20', 'problem', 'held_for_review'],
  [2, '50', 'problem', 'blocked'],
  [7, '20', 'problem', 'rolling_back'],
  // Perhaps a hold that is not documented yet.
  [3, '30', 'unknown', null],
])('status %i of type %s is %s', (status, depositType, state, problem) => {
  expect(depositState(status, depositType)).toEqual({ state, problem });
  expect(deposits({ status, depositType }).rows[0]).toMatchObject({ status, state, problem });
});

test.each([
  { amount: '1.0000000000000000001' },
  { amount: '' },
  { amount: 'NaN' },
  { amount: null },
  { coin: 'USDC' },
  { status: 'success' },
  { status: -1 },
  { depositType: undefined },
  { id: '' },
])('a deposit with %j is an error', (over) => {
  expect(() => deposits(over)).toThrow('bad_response');
});

/** Fields of https://bybit-exchange.github.io/docs/v5/asset/withdraw/withdraw-record */
const WITHDRAWAL = {
  coin: 'USDT',
  chain: 'BSC',
  amount: '77',
  txID: '',
  status: 'SecurityCheck',
  toAddress: '0x99ced129603abc771c0dabe935c326ff6c86645d',
  tag: '',
  withdrawFee: '0.3',
  createTime: '1670922217000',
  updateTime: '1670922218000',
  withdrawId: '9976',
  withdrawType: 0,
};
const withdrawals = (over: object) =>
  readBybitWithdrawals({ retCode: 0, result: { rows: [{ ...WITHDRAWAL, ...over }], nextPageCursor: 'x' } });

test.each([
  ['SecurityCheck', 'under_way'],
  ['Pending', 'under_way'],
  ['MoreInformationRequired', 'under_way'],
  ['success', 'done'],
  ['BlockchainConfirmed', 'done'],
  ['CancelByUser', 'ended'],
  ['Reject', 'ended'],
  ['Fail', 'ended'],
  ['Unknown', 'unknown'],
  ['SomethingNew', 'unknown'],
])('a withdrawal that is %s is %s', (status, state) => {
  expect(withdrawals({ status }).rows[0]).toMatchObject({
    status,
    state,
    needsOwner: status === 'MoreInformationRequired',
    txId: null,
  });
});

test('a withdrawal to another Bybit user is listed by its uid, and taxes are fees', () => {
  const over = { chain: 'internalAddressChain', withdrawType: 1, toAddress: '999805', tax: '0.7' };
  expect(withdrawals(over)).toMatchObject({
    nextCursor: 'x',
    rows: [{ toAddress: '999805', feeUnits: 10n ** 18n }],
  });
  expect(() => withdrawals({ withdrawFee: '' })).toThrow('bad_response');
});

test.each([
  ['SUCCESS', 'done'],
  ['PENDING', 'under_way'],
  ['FAILED', 'failed'],
  ['STATUS_UNKNOWN', 'unknown'],
])('an internal transfer that is %s is %s', (status, state) => {
  const row = { transferId: 'AB', coin: 'USDT', amount: '5', status };
  const answer = { result: { list: [{ ...row, transferId: 'other' }, row] } };
  expect(readBybitTransfer(answer, 'ab')).toEqual({
    transferId: 'ab',
    amountUnits: 5n * 10n ** 18n,
    status,
    state,
  });
  expect(readBybitTransfer(answer, 'cd')).toBeNull();
});
