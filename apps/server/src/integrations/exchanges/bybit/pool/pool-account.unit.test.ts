import { expect, test } from 'vitest';
import { readBybitDepositAddress } from './pool-addresses.ts';
import { readBybitFunding, readBybitUnified } from './pool-balances.ts';
import { readBybitCoin } from './pool-coin.ts';
import { readBybitPoolKey } from './pool-key.ts';

const USDT = 10n ** 18n;

/** Fields of https://bybit-exchange.github.io/docs/v5/account/wallet-balance */
const WALLET = {
  coin: 'USDT',
  walletBalance: '500',
  equity: '498',
  usdValue: '498',
  bonus: '20',
  borrowAmount: '0',
  spotBorrow: '0',
  locked: '3.5',
  unrealisedPnl: '-2.000000000000000001',
};
const unified = (coins: object[], accountType = 'UNIFIED') =>
  readBybitUnified({ result: { list: [{ accountType, coin: coins }] } });

test('borrowed money and bonuses do not belong to the account', () => {
  const { usdt } = unified([{ ...WALLET, borrowAmount: '130', spotBorrow: '100' }]);
  expect(usdt).toEqual({
    ownUnits: 380n * USDT,
    borrowedUnits: 130n * USDT,
    unrealizedUnits: -2n * USDT - 1n,
  });
  expect(unified([{ ...WALLET, walletBalance: '-5', bonus: '0' }]).usdt.ownUnits).toBe(-5n * USDT);
  // Without a debt its purpose does not matter.
  expect(unified([{ ...WALLET, spotBorrow: undefined }]).usdt.ownUnits).toBe(480n * USDT);
});

test('no USDT and no coin at all is a balance of zero', () => {
  expect(unified([])).toMatchObject({ usdt: { ownUnits: 0n }, others: [] });
});

test.each([
  [[{ ...WALLET, spotBorrow: '', borrowAmount: '130' }]],
  [[{ ...WALLET, bonus: '' }]],
  [[{ ...WALLET, walletBalance: '' }]],
  [[{ ...WALLET, walletBalance: '0.0000000000000000001' }]],
  [[WALLET, WALLET]],
  [[{ walletBalance: '5' }]],
])('a wallet that does not say what belongs to the account is an error: %j', (coins) => {
  expect(() => unified(coins)).toThrow('bad_response');
});

test('a wallet of another kind is an error', () => {
  expect(() => unified([WALLET], 'CONTRACT')).toThrow('bad_response');
});

test('other coins are listed unless they are empty, with a debt as well', () => {
  const coin = (name: string, walletBalance: string, equity: string, usdValue = '1.5') => ({
    coin: name,
    walletBalance,
    equity,
    usdValue,
  });
  const coins = [
    coin('BTC', '0.00000001', '0.00000001'),
    coin('ETH', '0', '-2', ''),
    coin('SOL', '0', '0.0'),
  ];
  expect(unified(coins).others).toEqual([
    { coin: 'BTC', wallet: 'unified', amount: '0.00000001', owed: '0', usd: '1.5' },
    { coin: 'ETH', wallet: 'unified', amount: '0', owed: '2', usd: null },
  ]);
});

test('the funding wallet', () => {
  const funding = (balance: unknown, accountType = 'FUND') =>
    readBybitFunding({ result: { accountType, memberId: '7', balance } });
  const row = { coin: 'USDT', transferBalance: '1', walletBalance: '12.000000000000000001', bonus: '' };
  expect(funding([row]).usdt).toEqual({ ownUnits: 12n * USDT + 1n, borrowedUnits: 0n });
  expect(funding([{ ...row, bonus: '2' }]).usdt).toEqual({
    ownUnits: 10n * USDT + 1n,
    borrowedUnits: 0n,
  });
  expect(funding([])).toEqual({ usdt: { ownUnits: 0n, borrowedUnits: 0n }, others: [] });
  for (const wrong of [
    () => funding(null),
    () => funding([row], 'UNIFIED'),
    () => funding([{ ...row, walletBalance: '' }]),
  ])
    expect(wrong).toThrow('bad_response');
});

const CHAIN = {
  chain: 'BSC',
  chainType: 'BSC (BEP20)',
  confirmation: '15',
  safeConfirmNumber: '35',
  depositMin: '0.01',
  withdrawMin: '2',
  withdrawFee: '0.3',
  withdrawPercentageFee: '0',
  minAccuracy: '8',
  chainDeposit: '1',
  chainWithdraw: '1',
  contractAddress: '0x55D398326f99059fF775485246999027B3197955',
};
const coin = (over: object, others: object[] = []) =>
  readBybitCoin({ result: { rows: [{ coin: 'USDT', chains: [...others, { ...CHAIN, ...over }] }] } });

test('the rules of the coin are those of its chain', () => {
  expect(coin({}, [{ ...CHAIN, chain: 'ETH', withdrawFee: '4' }])).toMatchObject({
    withdrawFeeUnits: (3n * USDT) / 10n,
    accuracyDecimals: 8,
    contractAddress: '0x55d398326f99059ff775485246999027b3197955',
  });
  expect(coin({ withdrawFee: '' })).toMatchObject({
    mayWithdraw: false,
    withdrawFeeUnits: null,
    withdrawMinUnits: null,
  });
  expect(coin({ chainDeposit: '0', chainWithdraw: '0' })).toMatchObject({
    maySendDeposits: false,
    mayWithdraw: false,
  });
  for (const over of [{ chain: 'TRX' }, { chainDeposit: '2' }, { depositMin: '' }, { minAccuracy: '' }])
    expect(() => coin(over)).toThrow('bad_response');
});

const ADDRESS = {
  chain: 'BSC',
  chainType: 'BSC (BEP20)',
  addressDeposit: `0x${'Ab'.repeat(20)}`,
  tagDeposit: '',
  batchReleaseLimit: '-1',
  contractAddress: '197955',
};
const address = (chains: unknown) => readBybitDepositAddress({ result: { coin: 'USDT', chains } });

test('an address is the only one of its chain, in a list or alone', () => {
  const other = { ...ADDRESS, chain: 'ETH', addressDeposit: `0x${'11'.repeat(20)}` };
  for (const chains of [ADDRESS, [other, ADDRESS]])
    expect(address(chains)).toEqual({
      address: ADDRESS.addressDeposit,
      contractEnding: '197955',
      releaseLimitUnits: null,
    });
  expect(address({ ...ADDRESS, batchReleaseLimit: '5000' }).releaseLimitUnits).toBe(5_000n * USDT);
});

test.each([
  [[]],
  [[ADDRESS, ADDRESS]],
  [{ ...ADDRESS, chain: 'ETH' }],
  [{ ...ADDRESS, tagDeposit: '17' }],
  [{ ...ADDRESS, addressDeposit: 'TXyz' }],
  [{ ...ADDRESS, addressDeposit: '' }],
])('an address that is not certain is an error: %j', (chains) => {
  expect(() => address(chains)).toThrow('bad_response');
});

const KEY = {
  userID: 24_617_703,
  isMaster: false,
  parentUid: '88',
  readOnly: 0,
  uta: 1,
  ips: ['203.0.113.4'],
  permissions: { ContractTrade: ['Order'], Wallet: ['AccountTransfer'], Options: null },
  deadlineDay: -2,
  expiredAt: '1970-01-01T00:00:00Z',
};
const key = (over: object) => readBybitPoolKey({ result: { ...KEY, ...over } });

test('the ways by which money may leave with a key', () => {
  expect(key({})).toMatchObject({
    mayWithdraw: false,
    leavingPermissions: [],
    mayMove: true,
    expiresAt: null,
  });
  const permissions = {
    Wallet: ['AccountTransfer', 'SubMemberTransferList', 'Withdraw'],
    FiatP2P: ['FiatP2POrder'],
    FiatBitPay: ['FaitPayOrder'],
    BitCard: ['BitCard'],
    Earn: ['Earn'],
  };
  expect(key({ permissions })).toMatchObject({
    mayWithdraw: true,
    leavingPermissions: [
      'Wallet.SubMemberTransferList',
      'Wallet.Withdraw',
      'FiatP2P.FiatP2POrder',
      'FiatBitPay.FaitPayOrder',
      'BitCard.BitCard',
    ],
  });
  expect(key({ readOnly: 1 })).toMatchObject({ isReadOnly: true, mayMove: false });
  expect(key({ uta: 0 }).isUnified).toBe(false);
  expect(key({ uta: undefined }).isUnified).toBeNull();
  expect(key({ deadlineDay: 83, expiredAt: '2023-05-15T03:21:05Z' }).expiresAt).toBe(1_684_120_865_000);
  for (const over of [
    { readOnly: 2 },
    { permissions: undefined },
    { isMaster: 'yes' },
    { deadlineDay: 1, expiredAt: 'soon' },
  ])
    expect(() => key(over)).toThrow('bad_response');
});
