import type { CallAnswer } from '@copydesk/contract';
import { explainCommission } from '@copydesk/domain/invoices';
import { unitsToDecimal } from '@copydesk/domain/money';
import { decideFee, POOL_FEE_BASES, type PoolFeeBasis, readCommissionRate } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';

type Basis = CallAnswer<'GET /api/invoices/{id}'>['data']['basis'];

/** As read with an invoice. Units are texts, because JSON would round them. */
export interface BasisFacts {
  amount: string;
  commission_rate: string;
  deducted: string;
  /** Of a commission on positions, which is what it is when neither of the others is there. */
  charged: { positions: number; before_fees: number; profit: string };
  cycle: {
    pool_id: string;
    cycle_number: number;
    fee_basis: PoolFeeBasis;
    allocated: string;
    winners: string;
    carry_before: string;
    carry_after: string;
    fee: string;
    capital_after: string;
  } | null;
  order: { days: number; price: string; discount: string } | null;
}

/** What the amount of an invoice `i` is made from, as JSON of `BasisFacts`. */
export const basisFacts = (
  tx: AnyTx,
  charged: (tx: AnyTx) => ReturnType<typeof sql>,
) => sql`json_build_object(
  'amount', i.amount_units::text, 'commission_rate', i.commission_rate::text,
  'deducted', (SELECT coalesce(sum(u.amount_units), 0)::text FROM invoice_deduction_use u WHERE u.invoice_id = i.id),
  'charged', (
    SELECT json_build_object('positions', count(*), 'before_fees', count(*) FILTER (WHERE NOT c.fees_included),
      'profit', trim_scale(coalesce(sum(o.closed_pnl), 0))::text)
    FROM ${charged(tx)} o JOIN closed_position c ON c.id = o.id),
  'cycle', (
    SELECT json_build_object('pool_id', h.pooled_account_id, 'cycle_number', h.cycle_number, 'fee_basis', p.fee_basis,
      'allocated', a.allocated_units::text, 'winners', a.winners_units::text,
      'carry_before', a.carry_before_units::text, 'carry_after', a.carry_after_units::text,
      'fee', a.fee_units::text, 'capital_after', a.capital_after_units::text)
    FROM harvest_allocation a JOIN harvest_cycle h ON h.id = a.cycle_id
    JOIN pooled_account p ON p.id = h.pooled_account_id
    WHERE a.invoice_id = i.id AND a.cycle_id = i.harvest_cycle_id AND ${providerInScope(tx, 'a.provider_id')}),
  'order', (
    SELECT json_build_object('days', s.days, 'price', s.price_units::text, 'discount', s.discount_units::text)
    FROM exchange_bot_sale s WHERE s.invoice_id = i.id))`;

/** What the amount is made from, with what these facts do not explain. */
export function basisOf(facts: BasisFacts): Basis {
  const amountUnits = BigInt(facts.amount);
  if (facts.cycle) return basisOfCycle(facts.cycle, facts.commission_rate, amountUnits);
  if (facts.order) {
    const [price, discount] = [BigInt(facts.order.price), BigInt(facts.order.discount)];
    return {
      kind: 'order',
      days: facts.order.days,
      price: unitsToDecimal(price),
      discount: unitsToDecimal(discount),
      unexplained: unitsToDecimal(amountUnits - price + discount),
    };
  }
  const { positions, before_fees, profit } = facts.charged;
  const { commissionUnits, unexplainedUnits } = explainCommission({
    profit,
    commissionRate: facts.commission_rate,
    deductedUnits: BigInt(facts.deducted),
    amountUnits,
  });
  return {
    kind: 'positions',
    positions,
    before_fees,
    profit,
    commission: unitsToDecimal(commissionUnits),
    deducted: unitsToDecimal(BigInt(facts.deducted)),
    unexplained: unitsToDecimal(unexplainedUnits),
  };
}

function basisOfCycle(
  cycle: NonNullable<BasisFacts['cycle']>,
  commissionRate: string,
  amountUnits: bigint,
): Basis {
  const [allocatedUnits, winnersUnits] = [BigInt(cycle.allocated), BigInt(cycle.winners)];
  const carryUnits = BigInt(cycle.carry_before);
  const capitalUnits = BigInt(cycle.capital_after) + BigInt(cycle.fee);
  const rate = readCommissionRate(commissionRate);
  const decide = (basis: PoolFeeBasis) =>
    decideFee({ allocatedUnits, winnersUnits, carryUnits, capitalUnits }, basis, rate);
  // The basis of a pool changes between cycles, and only that of today is stored.
  const basis =
    [cycle.fee_basis, ...POOL_FEE_BASES].find((each) => decide(each).feeUnits === amountUnits) ??
    cycle.fee_basis;
  const decided = decide(basis);
  const charged = basis === 'gross_winners' ? winnersUnits : allocatedUnits - carryUnits + decided.carryUnits;
  return {
    kind: 'cycle',
    pool_id: cycle.pool_id,
    cycle_number: cycle.cycle_number,
    fee_basis: basis,
    result: unitsToDecimal(allocatedUnits),
    winners: unitsToDecimal(winnersUnits),
    carried_before: unitsToDecimal(carryUnits),
    carried_after: unitsToDecimal(BigInt(cycle.carry_after)),
    charged_profit: unitsToDecimal(charged),
    unexplained: unitsToDecimal(amountUnits - decided.feeUnits),
  };
}
