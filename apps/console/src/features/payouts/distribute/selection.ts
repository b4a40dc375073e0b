import { decimalToUnits, sumDecimals } from '@copydesk/domain/money';
import type { Sort } from '../../../lib/url/sorting.ts';
import type { RecipientLine } from '../payouts-queries.ts';

/** Addresses: every role of an address is paid together. */
export type Selection = ReadonlySet<string>;
export type LineColumn = 'address' | 'type' | 'shares' | 'amount';
export type LineSort = Sort<LineColumn>;

/** The fields that lines are ordered by. */
type Line = Omit<RecipientLine, 'payableCount'> & { payableCount?: number };

export const NO_RECIPIENTS: Selection = new Set();
export const LARGEST_FIRST: LineSort = { column: 'amount', direction: 'desc' };

export const addressesOf = (lines: readonly Pick<RecipientLine, 'recipientAddress'>[]): Selection =>
  new Set(lines.map(({ recipientAddress }) => recipientAddress));

export const sumOf = (lines: readonly Pick<RecipientLine, 'amount'>[]): string =>
  sumDecimals(lines.map(({ amount }) => amount));

export function toggled(selection: Selection, address: string): Selection {
  const next = new Set(selection);
  if (!next.delete(address)) next.add(address);
  return next;
}

/** The selected addresses that are still listed. */
export function kept(selection: Selection, lines: readonly RecipientLine[]): Selection {
  const there = addressesOf(lines);
  const left = [...selection].filter((address) => there.has(address));
  return left.length === selection.size ? selection : new Set(left);
}

export const selectedOf = (lines: readonly RecipientLine[], selection: Selection) =>
  lines.filter(({ recipientAddress }) => selection.has(recipientAddress));

/** Addresses with more than one role, and the number of their roles. */
export function rolesOf(lines: readonly Line[]): ReadonlyMap<string, number> {
  const lists = Map.groupBy(lines, ({ recipientAddress }) => recipientAddress);
  return new Map(
    [...lists].map(([address, its]) => [
      address,
      new Set(its.map(({ recipientType }) => recipientType)).size,
    ]),
  );
}

/** Lines in an order; an order by amount keeps the lines of one address together. */
export function inOrder<L extends Line>(lines: readonly L[], { column, direction }: LineSort): L[] {
  const turn = direction === 'asc' ? 1 : -1;
  const units = new Map(lines.map((line) => [line, decimalToUnits(line.amount) ?? 0n]));
  const ofAddress = new Map<string, bigint>();
  for (const [{ recipientAddress }, own] of units)
    ofAddress.set(recipientAddress, (ofAddress.get(recipientAddress) ?? 0n) + own);
  const byAmount = (a: L, b: L) =>
    compare(ofAddress.get(a.recipientAddress) ?? 0n, ofAddress.get(b.recipientAddress) ?? 0n) ||
    compare(a.recipientAddress, b.recipientAddress) ||
    compare(units.get(a) ?? 0n, units.get(b) ?? 0n);
  const orders: Record<LineColumn, (a: L, b: L) => number> = {
    address: (a, b) => compare(a.recipientAddress.toLowerCase(), b.recipientAddress.toLowerCase()),
    type: (a, b) => compare(a.recipientType, b.recipientType),
    shares: (a, b) => (a.payableCount ?? 0) - (b.payableCount ?? 0),
    amount: byAmount,
  };
  return lines.toSorted((a, b) => turn * orders[column](a, b) || -byAmount(a, b));
}

const compare = <T extends string | bigint>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
