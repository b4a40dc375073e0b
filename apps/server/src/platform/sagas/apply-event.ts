import type { WriteTx } from '../db/database.ts';
import { insertSagaEvents, type SagaEvidence } from './saga-events.store.ts';

/** A long process as its locked row has it. */
export interface SagaRow<State> {
  id: string;
  /** Incremented by every move. */
  version: number;
  state: State;
}

export interface SagaEvent {
  kind: string;
  role: string;
}

/** What the table of transitions says about an event. A refusal changes nothing. */
export type SagaDecision<State> =
  | { kind: 'move'; to: State }
  | { kind: 'stay' }
  | { kind: 'refuse'; code: string; detail: string };

/**
 * A long process whose states and transitions are data: a pure decision, a row that stores the state, and work that the
 * transaction of a transition orders.
 */
export interface Saga<
  Row extends SagaRow<State>,
  State,
  Event extends SagaEvent,
  Facts,
  Decision extends SagaDecision<State>,
> {
  /** Names its timeline and its audit entries. */
  name: string;
  nameOf(state: State): string;
  decide(state: State, event: Event, facts: Facts): Decision;
  /** What the timeline keeps of the facts. */
  evidenceOf(facts: Facts, event: Event): SagaEvidence;
  /** The object that audit entries are about. */
  targetOf(row: Row): { kind: string; id: string };
  /** Stores a move by compare and swap on the row's version. @returns false when another transition came first */
  save(
    tx: WriteTx,
    row: Row,
    decision: Exclude<Decision, { kind: 'refuse' }>,
    facts: Facts,
  ): Promise<boolean>;
  /** The work that the decision orders, in the same transaction. It may run again after a crash. */
  perform(
    tx: WriteTx,
    row: Row,
    decision: Exclude<Decision, { kind: 'refuse' }>,
    facts: Facts,
  ): Promise<void>;
}

/** Another transition came first: the caller reads the row again. */
class SagaChanged extends Error {}

/** Called where a crash could happen; tests stop the process there. */
export type AtSagaStep = (step: 'decided' | 'saved' | 'recorded' | 'performed') => void;

/**
 * Applies one event to a locked row, all in the caller's transaction: the state by compare and swap, the timeline, audit
 * and the ordered work.
 * @throws SagaChanged when another transition came first
 */
export async function applyEvent<
  Row extends SagaRow<State>,
  State,
  Event extends SagaEvent,
  Facts extends { now: Date },
  Decision extends SagaDecision<State>,
>(
  tx: WriteTx,
  saga: Saga<Row, State, Event, Facts, Decision>,
  { row, event, facts }: { row: Row; event: Event; facts: Facts },
  atStep?: AtSagaStep,
): Promise<Decision> {
  const decision = saga.decide(row.state, event, facts);
  if (decision.kind === 'refuse') return decision;
  const accepted = decision as Exclude<Decision, { kind: 'refuse' }>;
  atStep?.('decided');
  if (!(await saga.save(tx, row, accepted, facts)))
    throw new SagaChanged(`${saga.name} ${row.id}: version ${row.version} has changed`);
  atStep?.('saved');
  const isMove = decision.kind === 'move';
  const from = saga.nameOf(row.state);
  const to = isMove ? saga.nameOf(decision.to) : from;
  const version = row.version + (isMove ? 1 : 0);
  const evidence = saga.evidenceOf(facts, event);
  await insertSagaEvents(tx, [
    {
      saga: saga.name,
      sagaId: row.id,
      version,
      at: facts.now,
      event: event.kind,
      role: event.role,
      from,
      to,
      evidence,
    },
  ]);
  tx.audit({
    action: `${saga.name}.${event.kind}`,
    target: saga.targetOf(row),
    before: { state: from },
    after: { state: to, version, role: event.role, ...evidence },
  });
  atStep?.('recorded');
  await saga.perform(tx, row, accepted, facts);
  atStep?.('performed');
  return decision;
}
