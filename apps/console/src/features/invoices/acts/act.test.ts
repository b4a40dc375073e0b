import { expect, test } from 'vitest';
import { groupCase, invoiceCase } from '../list/invoice-cases.ts';
import { countOf, planAct } from './act.ts';
import { doneWords, willHappen } from './act-texts.ts';

const due = invoiceCase('1', 'A', { amount: '50.5', paid_amount: '0' });
const part = invoiceCase('2', 'A', { amount: '100', paid_amount: '40' });
const settled = invoiceCase('3', 'A', { status: 'paid', is_paid: true });
const onChain = invoiceCase('4', 'A', { status: 'paid', is_paid: true, paid_amount: '50' });
const cancelled = invoiceCase('5', 'A', { status: 'cancelled' });
const all = [due, part, settled, onChain, cancelled];

test('paying covers outstanding invoices, and leaves paid or cancelled ones', () => {
  const plan = planAct('pay', all);
  expect(plan).toMatchObject({ changing: [due, part], staying: 3, sum: '110.5', onChain: 0 });
});

test('a partial payment on chain cannot be undone', () => {
  expect(planAct('pay', [due]).canUndo).toBe(true);
  expect(planAct('pay', [due, part]).canUndo).toBe(false);
  expect(planAct('unpay', [settled]).canUndo).toBe(false);
  expect(planAct('archive', all).canUndo).toBe(true);
});

test('marking as unpaid says how many the server will refuse', () => {
  expect(planAct('unpay', all)).toMatchObject({
    changing: [settled, onChain],
    count: 2,
    sum: '100',
    onChain: 1,
  });
});

test('a dialog names the number, the owners and the sum', () => {
  const chosen = { groups: [groupCase('A', { invoice_count: 5 })], invoices: [], allBut: null };
  expect(countOf(chosen)).toBe(5);
  expect(willHappen('pay', chosen, planAct('pay', all))).toBe(
    '2 invoices of A, $110.50 outstanding, will be marked as paid.',
  );
  expect(willHappen('unpay', chosen, planAct('unpay', [due]))).toBe(
    'There is nothing to do: no invoice of A is paid.',
  );
  const ofOne = {
    groups: [groupCase('unknown', { trader: { ...due.trader, name: 'Ada', reference_number: null } })],
    invoices: [],
    allBut: null,
  };
  expect(willHappen('unpay', ofOne, planAct('unpay', [due]))).toBe(
    'There is nothing to do: no invoice of Ada is paid.',
  );
  const many = { groups: [groupCase('A'), groupCase('B')], invoices: [invoiceCase('9', null)], allBut: null };
  expect(willHappen('archive', many, null)).toBe(
    '5 invoices of 3 traders are selected. Those that are outside of the archive will be archived.',
  );
});

test("the toast uses the spec's words", () => {
  expect(doneWords('unpay', 1)).toEqual({
    title: 'Status updated',
    text: '1 invoice(s) have been marked as unpaid',
  });
});
