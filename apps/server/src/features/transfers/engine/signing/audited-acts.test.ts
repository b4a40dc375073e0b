import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sealAudit } from '../../../../../../../tests/support/seal-audit.ts';
import { removedFromAudit, tamperWith } from '../../../../../../../tests/support/tamper.ts';
import {
  createOrderedPayments,
  type OrderedPayment,
  type OrderedPayments,
} from '../../../../../../../tests/support/world/ordered-payments.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { takeTransferTurn } from '../transfer-turn.ts';

// Everything that people order but distributions, which are in audited.test.ts.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: OrderedPayments;
beforeAll(async () => {
  world = await createOrderedPayments();
});
afterAll(() => world?.close());
// Each test has a day of its own for the sums of a day.
beforeEach(() => world.beginDay());

interface Kind {
  order: () => Promise<OrderedPayment>;
  /** The actions of its entries: of its author, and of the other person where there is one. */
  actions: string[];
  /** Statements that change the author, and the amount, of the fact that allows it; omitted: the audit alone has them. */
  forge?: { author: Forgery; amount: Forgery };
}
type Forgery = (payment: OrderedPayment) => string;

const OF_ORDERS: Omit<Kind, 'order'> = {
  actions: ['order.placed', 'order.approved'],
  forge: {
    author: ({ orderId }) => `UPDATE money_order SET requested_by_id = 'me' WHERE id = '${orderId}'`,
    amount: ({ orderId }) => `UPDATE money_order SET amount_units = 7 WHERE id = '${orderId}'`,
  },
};
const KINDS: Record<string, Kind> = {
  'the withdrawal of a member': { order: () => world.withdrawal(), ...OF_ORDERS },
  'a withdrawal that a program asked for': {
    order: () => world.askedWithdrawal(),
    actions: ['pool.withdrawal_requested'],
  },
  'the return of a deposit': { order: () => world.depositReturn(), ...OF_ORDERS },
  'the return of credit': { order: () => world.creditReturn(), ...OF_ORDERS },
  'the sending back of an arrival': {
    order: () => world.sendBack(),
    actions: ['pool.arrival_decision_proposed', 'pool.arrival_decision_confirmed'],
    forge: {
      author: ({ orderId }) =>
        `UPDATE pool_arrival_decision SET requested_by_id = 'me' WHERE id = '${orderId}'`,
      amount: ({ orderId, transferId }) =>
        `UPDATE pool_arrival_decision SET amount_units = 7 WHERE id = '${orderId}';
         UPDATE transfer SET amount_units = 7 WHERE id = '${transferId}'`,
    },
  },
};

/** The entries of a payment with these actions. */
const entriesOf = ({ orderId }: OrderedPayment, actions: string[]) =>
  `e.action IN (${actions.map((action) => `'${action}'`)}) AND e.seq IN (
     SELECT o.seq FROM audit_order o WHERE o.order_id = '${orderId}')`;

type Tampering = (payment: OrderedPayment, kind: Kind) => string;
const TAMPERED: Record<string, Tampering> = {
  'no entry orders': (payment, { actions }) => removedFromAudit(entriesOf(payment, actions.slice(0, 1))),
  'was given another author, there and in its fact': (payment, { actions, forge }) =>
    `UPDATE audit_entry e SET actor_id = 'me' WHERE ${entriesOf(payment, actions.slice(0, 1))};
     ${forge?.author(payment) ?? ''}`,
  'was given another amount, there and in its fact': (payment, { actions, forge }) =>
    `UPDATE audit_entry e SET after = after || '{"units": "7", "amount": "7"}' WHERE ${entriesOf(payment, actions)};
     ${forge?.amount(payment) ?? ''}`,
  'has an entry that was written without the key': (payment, { actions }) =>
    `UPDATE audit_entry e SET own_hash = sha256('guess') WHERE ${entriesOf(payment, actions.slice(-1))}`,
};
const TAMPERED_BETWEEN_PEOPLE: Record<string, Tampering> = {
  'no entry approves': (payment, { actions }) => removedFromAudit(entriesOf(payment, actions.slice(1))),
  'has another author than the audit says': (payment, { forge }) => forge?.author(payment) ?? '',
  'has another amount than the audit says': (payment, { forge }) => forge?.amount(payment) ?? '',
};

const TABLES = ['transfer', 'money_order', 'pool_arrival_decision', 'pool_withdrawal', 'ledger_reservation'];
const signed = async ({ transferId }: OrderedPayment) => {
  const rows = await world.owner('SELECT FROM transfer_attempt WHERE transfer_id = $1', [transferId]);
  return rows.length;
};
const stateOf = async ({ transferId }: OrderedPayment) =>
  (await world.owner('SELECT state, problem_detail AS why FROM transfer WHERE id = $1', [transferId]))[0];

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  test.each(Object.entries({ ...TAMPERED, ...(kind.forge && TAMPERED_BETWEEN_PEOPLE) }))(
    'that %s is set aside',
    async (_, tampering) => {
      const payment = await kind.order();
      await tamperWith(world, TABLES, tampering(payment, kind));
      await takeTransferTurn(world.engine);
      expect(await stateOf(payment)).toEqual({ state: 'void', why: 'not_audited' });
      expect(await signed(payment)).toBe(0);
    },
  );

  test('that is not sealed yet waits, and is signed once it is', async () => {
    const payment = await kind.order();
    // Another worker is in the middle of sealing, and its commit does not come.
    const blocked = await world.db.pool.connect();
    try {
      await blocked.query('BEGIN; SET LOCAL ROLE copydesk_worker; SELECT FROM app.begin_sealing()');
      await takeTransferTurn(world.engine);
      expect([await signed(payment), await stateOf(payment)]).toEqual([0, { state: 'planned', why: null }]);
    } finally {
      await blocked.query('ROLLBACK');
      blocked.release();
    }
    await sealAudit(world.db);
    await takeTransferTurn(world.engine);
    expect(await signed(payment)).toBe(1);
  });
});

/** What a member asked for is not what is paid, and all that the database compares agrees. */
const FORGED_REQUESTS: Record<string, { kind: string; forgery: Forgery }> = {
  'asked by a program for another amount': {
    kind: 'a withdrawal that a program asked for',
    forgery: ({ transferId }) =>
      `UPDATE ledger_reservation SET amount = 5000000000000000000 WHERE source_type = 'pool_withdrawal' AND source_id IN (
         SELECT id || ':' || attempt FROM pool_withdrawal WHERE transfer_id = '${transferId}');
       UPDATE pool_withdrawal SET amount_units = 5000000000000000000, reserved_units = 5000000000000000000
         WHERE transfer_id = '${transferId}';
       UPDATE transfer SET amount_units = 5000000000000000000 WHERE id = '${transferId}'`,
  },
  'asked by a program, for an amount and not for everything': {
    kind: 'a withdrawal that a program asked for',
    forgery: ({ transferId }) =>
      `UPDATE ledger_reservation SET amount = 5000000000000000000 WHERE source_type = 'pool_withdrawal' AND source_id IN (
         SELECT id || ':' || attempt FROM pool_withdrawal WHERE transfer_id = '${transferId}');
       UPDATE pool_withdrawal SET amount_units = NULL, reserved_units = 5000000000000000000
         WHERE transfer_id = '${transferId}';
       UPDATE transfer SET amount_units = 5000000000000000000 WHERE id = '${transferId}'`,
  },
  'asked by a person, whose order is taken away': {
    kind: 'the withdrawal of a member',
    forgery: ({ transferId }) =>
      `UPDATE pool_withdrawal SET order_id = NULL WHERE transfer_id = '${transferId}'`,
  },
};
test.each(Object.entries(FORGED_REQUESTS))('a withdrawal %s is set aside', async (_, { kind, forgery }) => {
  const payment = (await KINDS[kind]?.order()) as OrderedPayment;
  await sealAudit(world.db);
  await tamperWith(world, TABLES, forgery(payment));
  await takeTransferTurn(world.engine);
  expect(await stateOf(payment)).toEqual({ state: 'void', why: 'not_audited' });
  expect(await signed(payment)).toBe(0);
});

test.each([
  ['a withdrawal that a program asked for', 'pool.withdrawal_cancelled', 'withdrawal_id'],
  ['the return of a deposit', 'order.declined', 'order_id'],
])('%s that the audit knows to have ended is set aside (%s)', async (kind, action, name) => {
  const payment = (await KINDS[kind]?.order()) as OrderedPayment;
  await world.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) =>
    tx.audit({ action, target: { kind: 'order', id: payment.orderId }, after: { [name]: payment.orderId } }),
  );
  await takeTransferTurn(world.engine);
  expect(await stateOf(payment)).toEqual({ state: 'void', why: 'not_audited' });
  expect(await signed(payment)).toBe(0);
});

test('a part of everything goes on after the first one was cancelled', async () => {
  const payment = (await KINDS['a withdrawal that a program asked for']?.order()) as OrderedPayment;
  // As the next part of a request for everything is, whose first row was cancelled.
  const { orderId, transferId } = payment;
  await tamperWith(
    world,
    TABLES,
    `WITH first AS (
       INSERT INTO pool_withdrawal (pooled_account_id, member_id, requested_by, state, ended_at)
       SELECT pooled_account_id, member_id, requested_by, 'cancelled', now() FROM pool_withdrawal WHERE id = '${orderId}'
       RETURNING id)
     UPDATE pool_withdrawal w SET part_of = first.id, amount_units = NULL FROM first WHERE w.transfer_id = '${transferId}'`,
  );
  const [row] = await world.owner<{ part_of: string; trader_id: string }>(
    `SELECT w.part_of, m.trader_id FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id WHERE w.id = $1`,
    [orderId],
  );
  const after = { withdrawal_id: row?.part_of ?? '', amount: 'all' };
  for (const [actor, action] of [
    [{ kind: 'service', id: 'program', name: 'Members' }, 'pool.withdrawal_requested'],
    [WORKER_ACTOR, 'pool.withdrawal_cancelled'],
  ] as const)
    await world.db.write(WHOLE_SCOPE, actor, async (tx) =>
      tx.audit({ action, target: { kind: 'trader', id: row?.trader_id ?? '' }, after }),
    );
  await takeTransferTurn(world.engine);
  expect(await signed(payment)).toBe(1);
});
