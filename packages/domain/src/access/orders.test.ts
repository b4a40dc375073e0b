import { expect, test } from 'vitest';
import { needsOf, type OrderContent, orderChanges, WRITE_OFF_ACTS, writtenOffUnits } from './orders.ts';

const order = {
  act: 'invoices_archived' as const,
  units: 400n,
  lately: { byCommunity: 0n, byPerson: 600n },
  above: 1_000n,
  isOwnAddress: false,
  isProgram: false,
};

test('a write-off needs another person above the limit of what the person wrote off', () => {
  expect(needsOf(order)).toEqual([]);
  expect(needsOf({ ...order, units: 401n })).toEqual(['above_limit']);
  expect(needsOf({ ...order, units: 401n, above: null })).toEqual([]);
  // Nothing unpaid is given up.
  expect(needsOf({ ...order, units: 0n, lately: { byCommunity: 0n, byPerson: 5_000n } })).toEqual([]);
});

test('a connection and a funding address always do', () => {
  for (const act of ['pool_connection', 'pool_funding_address'] as const)
    expect(needsOf({ ...order, act, units: 0n })).toEqual(['always']);
});

test('what is given up is what is unpaid of a pending invoice', () => {
  const invoice = { status: 'pending' as const, amountUnits: 10n, paidUnits: 4n };
  expect(writtenOffUnits(invoice)).toBe(6n);
  expect(writtenOffUnits({ ...invoice, status: 'paid' })).toBe(0n);
  expect(writtenOffUnits({ ...invoice, status: 'cancelled' })).toBe(0n);
  expect(writtenOffUnits({ ...invoice, paidUnits: 12n })).toBe(0n);
});

test('an approval binds lines, amounts, addresses and facts, and names what changed', () => {
  const line = { subjectId: 'a', label: 'A', toAddress: '0xAB', units: 5n };
  const seen: OrderContent = { lines: [line], facts: { fee_basis: 'x' } };
  expect(orderChanges(seen, { ...seen, lines: [{ ...line, toAddress: '0xab' }] })).toEqual([]);
  expect(orderChanges(seen, { ...seen, lines: [{ ...line, units: 6n, toAddress: '0xac' }] })).toEqual([
    'the address of A',
    'the amount of A',
  ]);
  expect(orderChanges(seen, { ...seen, lines: [] }, 'is not unpaid any more')).toEqual([
    'A is not unpaid any more',
  ]);
  expect(orderChanges(seen, { lines: [line, { ...line, subjectId: 'b', label: 'B' }], facts: {} })).toEqual([
    'B was added',
    'fee basis',
  ]);
  expect(orderChanges(seen, { ...seen, lines: [] })).toEqual(['A cannot be paid any more']);
  const unaddressed: OrderContent = { ...seen, lines: [line, { ...line, subjectId: 'b', toAddress: null }] };
  expect(orderChanges(unaddressed, unaddressed)).toEqual([]);
  expect(orderChanges(unaddressed, { ...unaddressed, lines: [line, { ...line, subjectId: 'b' }] })).toEqual([
    'the address of A',
  ]);
  expect(orderChanges(seen, null)).toEqual(['it is not possible any more']);
});

test('the acts that give up what is owed', () => {
  expect(WRITE_OFF_ACTS).toEqual([
    'invoices_paid_off_platform',
    'invoices_archived',
    'invoices_recalled',
    'sale_cancelled',
    'sale_discounted',
  ]);
});
