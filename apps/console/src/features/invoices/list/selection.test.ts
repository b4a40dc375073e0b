import { expect, test } from 'vitest';
import { groupCase, invoiceCase } from './invoice-cases.ts';
import { extentOf, isTicked, NOTHING_SELECTED, refreshed, tickGroups, tickInvoice } from './selection.ts';
import { strangersIn } from './unknown-group.ts';

const [a, b] = [groupCase('A'), groupCase('unknown')];
const [one, two] = [invoiceCase('1', 'A'), invoiceCase('2', 'A')];
const stranger = invoiceCase('3', null);

test('a group as a whole takes the place of its invoices', () => {
  const some = tickInvoice(tickInvoice(NOTHING_SELECTED, a, one, []), b, stranger, []);
  expect([extentOf(some, a), extentOf(some, b)]).toEqual(['some', 'some']);
  const whole = tickGroups(some, [a], true);
  expect([...whole.groups.keys()]).toEqual(['open A']);
  expect([...whole.invoices.keys()]).toEqual(['3']);
  expect(isTicked(whole, a, two)).toBe(true);
  expect(tickGroups(whole, [a, b], false)).toEqual(NOTHING_SELECTED);
});

test('an invoice taken out of a whole group leaves the others', () => {
  const whole = tickGroups(NOTHING_SELECTED, [a], true);
  const rest = tickInvoice(whole, a, one, [one, two]);
  expect(rest.groups.size).toBe(0);
  expect([...rest.invoices.keys()]).toEqual(['2']);
  expect(extentOf(rest, a)).toBe('some');
});

test('an archived invoice is not of the group outside of the archive', () => {
  const archived = invoiceCase('4', 'A', { is_archived: true });
  expect(extentOf(tickInvoice(NOTHING_SELECTED, a, archived, []), a)).toBe('none');
});

test('figures are those on the screen, and a group that left the page is not selected', () => {
  const selection = tickInvoice(tickGroups(NOTHING_SELECTED, [a], true), b, stranger, []);
  const paid = groupCase('A', { is_paid: true });
  const now = refreshed(selection, [paid], new Map([['3', { ...stranger, is_paid: true }]]));
  expect(now.groups.get('open A')?.is_paid).toBe(true);
  expect(now.invoices.get('3')?.is_paid).toBe(true);
  expect(refreshed(selection, [b], new Map()).groups.size).toBe(0);
});

test('two traders without a reference number are two selections', () => {
  const of = (id: string) => ({ ...stranger.trader, id });
  const [x, y] = [groupCase('unknown', { trader: of('x') }), groupCase('unknown', { trader: of('y') })];
  const ofX = invoiceCase('5', null, { trader: of('x') });
  const some = tickInvoice(NOTHING_SELECTED, x, ofX, []);
  expect([extentOf(some, x), extentOf(some, y)]).toEqual(['some', 'none']);
  const both = tickGroups(some, [y], true);
  expect([
    ...strangersIn({ groups: [...both.groups.values()], invoices: [...both.invoices.values()] }),
  ]).toEqual(['y', 'x']);
  expect(strangersIn({ groups: [a], invoices: [one] }).size).toBe(0);
});
