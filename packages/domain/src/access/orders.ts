import { mostOf } from '../money/order-units.ts';
import { needsApproval, type OrderedLately } from './approval-limit.ts';

/** What is ordered and may need another person (docs/decisions/0083-orders.md). */
export const ORDER_ACTS = [
  'pool_withdrawals',
  'pool_return',
  'pool_funding_address',
  'pool_connection',
  'invoices_paid_off_platform',
  'invoices_archived',
  'invoices_recalled',
  'sale_cancelled',
  'sale_discounted',
  'credit_tipped',
  'credit_returned',
] as const;
export type OrderActName = (typeof ORDER_ACTS)[number];

export const ORDER_STATES = ['awaiting_approval', 'approved', 'declined', 'void'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Why an order needs another person. */
export const ORDER_NEEDS = ['always', 'above_limit', 'own_address', 'by_program'] as const;
export type OrderNeed = (typeof ORDER_NEEDS)[number];

/** Acts that take two people whatever their amount. */
export const ALWAYS_BY_TWO: readonly OrderActName[] = ['pool_funding_address', 'pool_connection'];

/**
 * Acts that give up an unpaid amount. They have a limit of their own (`write_off_above_usdt`), by person: no
 * money leaves, but what was owed is given up.
 */
export const WRITE_OFF_ACTS: readonly OrderActName[] = [
  'invoices_paid_off_platform',
  'invoices_archived',
  'invoices_recalled',
  'sale_cancelled',
  'sale_discounted',
];

export interface Ordering {
  act: OrderActName;
  /** Base units of USDT. */
  units: bigint;
  /** What was ordered within the window of the limit: of write-offs, what the person wrote off. */
  lately: OrderedLately;
  /** The limit of the act in base units; null: one person is enough for any amount. */
  above: bigint | null;
  /** Whether the orderer, or an account it answers for, set one of the addresses. */
  isOwnAddress: boolean;
  /** A program asks, and no person has confirmed it yet. */
  isProgram: boolean;
}

/** Why this order needs another person; empty: it needs none. */
export function needsOf(order: Ordering): OrderNeed[] {
  const { act, units, lately, above, isOwnAddress, isProgram } = order;
  return [
    ...(ALWAYS_BY_TWO.includes(act) ? (['always'] as const) : []),
    ...(units > 0n && needsApproval(units, lately, above) ? (['above_limit'] as const) : []),
    ...(isOwnAddress ? (['own_address'] as const) : []),
    ...(isProgram ? (['by_program'] as const) : []),
  ];
}

/** What an order does: for whom, where to, and how much. */
export interface OrderLine {
  /** A request, a deposit, a pool: what the act is about. */
  subjectId: string;
  /** Its name for people. */
  label: string;
  toAddress: string | null;
  /** Base units; null: everything, or no amount. */
  units: bigint | null;
}

export interface OrderContent {
  lines: readonly OrderLine[];
  /** Further facts that the author saw. */
  facts: Readonly<Record<string, string>>;
}

/**
 * The amount that writing one invoice off gives up, in base units: its unpaid part; 0 when it is no longer
 * owed.
 */
export function writtenOffUnits(invoice: {
  status: 'pending' | 'paid' | 'cancelled';
  amountUnits: bigint;
  paidUnits: bigint;
}): bigint {
  const { status, amountUnits, paidUnits } = invoice;
  return status === 'pending' ? mostOf(amountUnits - paidUnits, 0n) : 0n;
}

/**
 * What has changed since an order was made, in words; empty: nothing. An approval binds exactly what its
 * author saw.
 * @param present null: the order is no longer possible
 * @param gone the text about a line that is no longer possible
 */
export function orderChanges(
  seen: OrderContent,
  present: OrderContent | null,
  gone = 'cannot be paid any more',
): string[] {
  if (present === null) return ['it is not possible any more'];
  const presentOf = new Map(present.lines.map((line) => [line.subjectId, line]));
  const changes = seen.lines.flatMap(({ subjectId, label, toAddress, units }) => {
    const now = presentOf.get(subjectId);
    if (!now) return [`${label} ${gone}`];
    return [
      ...(now.toAddress?.toLowerCase() === toAddress?.toLowerCase() ? [] : [`the address of ${label}`]),
      ...(now.units === units ? [] : [`the amount of ${label}`]),
    ];
  });
  const added = present.lines.filter(
    ({ subjectId }) => !seen.lines.some((line) => line.subjectId === subjectId),
  );
  const facts = new Set([...Object.keys(seen.facts), ...Object.keys(present.facts)]);
  return [
    ...changes,
    ...added.map(({ label }) => `${label} was added`),
    ...[...facts]
      .filter((key) => seen.facts[key] !== present.facts[key])
      .map((key) => key.replaceAll('_', ' ')),
  ];
}
