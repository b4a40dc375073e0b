import { expect, test } from 'vitest';
import { groupCase, invoiceCase } from './invoice-cases.ts';
import { treeRows, type Unfolded } from './tree-rows.ts';

const STEP = 3;
const step = (change: Partial<Unfolded['steps'][number]> = {}) => ({
  data: undefined,
  error: null,
  retry: () => {},
  ...change,
});
const holding = (invoices?: Unfolded) => ({ invoicesOf: () => invoices, tradersOf: () => undefined });
const kinds = (group: ReturnType<typeof groupCase>, unfolded?: Unfolded) =>
  treeRows([group], holding(unfolded), STEP).map((row) => row.kind);

test('a folded group is one line', () => {
  expect(kinds(groupCase('A'))).toEqual(['group']);
});

test('a loading group takes the rows that it will need', () => {
  expect(kinds(groupCase('A', { invoice_count: 2 }), { steps: [step()] })).toEqual([
    'group',
    'pending',
    'pending',
  ]);
});

test('everything beyond the requested steps is one row', () => {
  const data = ['1', '2', '3'].map((id) => invoiceCase(id, 'A'));
  const rows = treeRows([groupCase('A', { invoice_count: 5 })], holding({ steps: [step({ data })] }), STEP);
  expect(rows.map((row) => row.kind)).toEqual(['group', 'invoice', 'invoice', 'invoice', 'more']);
  expect(rows.at(-1)).toMatchObject({ left: 2 });
  const next = { steps: [step({ data }), step()] };
  expect(kinds(groupCase('A', { invoice_count: 5 }), next)).toEqual([
    'group',
    'invoice',
    'invoice',
    'invoice',
    'pending',
    'pending',
  ]);
});

test('a step that failed says so in one line, and the others stay', () => {
  const data = [invoiceCase('1', 'A')];
  const steps = [step({ data }), step({ error: new Error('no') })];
  expect(kinds(groupCase('A', { invoice_count: 5 }), { steps })).toEqual(['group', 'invoice', 'failed']);
});

test('traders without a reference number are a level of their own', () => {
  const traders = ['x', 'y', 'z'].map((id) =>
    groupCase('unknown', { trader: { ...invoiceCase('1', null).trader, id }, invoice_count: 1 }),
  );
  const held = { steps: [step({ data: [invoiceCase('1', null)] })] };
  const unfolded = {
    invoicesOf: (key: string) => (key === 'open unknown y' ? held : undefined),
    tradersOf: (key: string) =>
      key === 'open unknown' ? { steps: [{ ...step(), data: traders }] } : undefined,
  };
  const rows = treeRows([groupCase('unknown', { trader_count: 5, invoice_count: 9 })], unfolded, STEP);
  expect(rows.map((row) => [row.kind, row.level])).toEqual([
    ['group', 1],
    ['group', 2],
    ['group', 2],
    ['invoice', 3],
    ['group', 2],
    ['more', 2],
  ]);
  expect(rows.at(-1)).toMatchObject({ left: 2 });
});
