import type { PayoutStatus } from '@copydesk/domain/catalogue';
import {
  canCancelPayout,
  canResendPayout,
  canRetryPayout,
  MOVED_NOTHING,
  PAYOUT_MOVES,
  type PayoutEvent,
  type PayoutFacts,
  REVIEWED,
  readReceipt,
  replacementOf,
  TRANSFER_MOVES,
  type TransferEnd,
  type TransferEvent,
  type TransferState,
} from '@copydesk/domain/payouts';
import type { Step } from './explore.ts';

// One payout of one wallet, a chain, two workers of the engine and an operator. A step is what one transaction or one call
// does, so a worker may stop for good between any two. Names of steps are those of the engine's files.

interface Transfer {
  state: TransferState;
  nonce: number | null;
  isCancelAsked: boolean;
  isSuspected: boolean;
  /** Journals of its payment. */
  booked: number;
}

/** Stored bytes, and where they are: with us only, in the pool of the servers, in a block, in a final block. */
interface Attempt {
  transfer: number;
  nonce: number;
  isCancel: boolean;
  place: 'stored' | 'pool' | 'mined' | 'final';
  isSuccess: boolean;
}

/** What a worker remembers between two transactions. */
type Worker =
  | { at: 'idle' }
  | { at: 'prepared'; transfer: number; nextNonce: number }
  | { at: 'signed'; attempt: number }
  | { at: 'seen'; transfer: number; end: TransferEnd }
  | { at: 'suspects'; transfer: number }
  | { at: 'replaces'; transfer: number; attempts: number; isCancel: boolean };

export interface TransferWorld {
  payout: PayoutStatus;
  /** Whether the recipient still has the address that the order pays. */
  isBacked: boolean;
  isStopped: boolean;
  isFrozen: boolean;
  nextNonce: number;
  transfers: Transfer[];
  attempts: Attempt[];
  /** A transaction that another signer of this wallet made. */
  foreign: { nonce: number; place: 'mined' | 'final' } | null;
  workers: [Worker, Worker];
  reorganisations: number;
  /** An act that was offered and then refused; null: none was. */
  refused: string | null;
}

/** The guards of the protocol, each of which a control leaves out. */
export interface TransferGuards {
  /** Signing reads the state of the transfer again, with the wallet locked. */
  readsStateUnderLock: boolean;
  /** Signing reads the next nonce again, with the wallet locked. */
  readsNonceUnderLock: boolean;
  /** The database refuses a second transfer with the same nonce of a wallet. */
  hasUniqueNonces: boolean;
  /** Only receipts of final blocks end a transfer. */
  waitsForFinality: boolean;
  /** A result is booked only while the transfer is sent. */
  endsOnce: boolean;
  /** Whatever a server answers, the same bytes are sent again, and the transfer is not planned again. */
  keepsBytes: boolean;
  /** A person can unfreeze a wallet. */
  unfreezes: boolean;
  /** The console offers what the domain allows. */
  offersAllowed: boolean;
}
export const TRANSFER_GUARDS: TransferGuards = {
  readsStateUnderLock: true,
  readsNonceUnderLock: true,
  hasUniqueNonces: true,
  waitsForFinality: true,
  endsOnce: true,
  keepsBytes: true,
  unfreezes: true,
  offersAllowed: true,
};

/** How much may happen, so that the world is finite. */
export interface TransferBounds {
  /** Orders of the payout, the first included. */
  transfers: number;
  attempts: number;
  reorganisations: number;
  /** Whether another signer may use the wallet. */
  hasForeign: boolean;
  /** Whether payments may be stopped, and the recipient's address may change. */
  hasHolds: boolean;
}

const PLANNED: Transfer = {
  state: 'planned',
  nonce: null,
  isCancelAsked: false,
  isSuspected: false,
  booked: 0,
};
const IDLE: Worker = { at: 'idle' };

export const firstTransferWorld = ({ reorganisations }: TransferBounds): TransferWorld => ({
  payout: PAYOUT_MOVES.ordered_with_deposits.to,
  isBacked: true,
  isStopped: false,
  isFrozen: false,
  nextNonce: 0,
  transfers: [PLANNED],
  attempts: [],
  foreign: null,
  workers: [IDLE, IDLE],
  reorganisations,
  refused: null,
});

const valuesOf = (one: object | null) => (one ? Object.values(one).join() : '-');
/** Workers are alike. Short, because there are tens of thousands. */
export function nameOfTransferWorld(world: TransferWorld): string {
  const { transfers, attempts, foreign, workers, ...rest } = world;
  return [
    valuesOf(rest),
    transfers.map(valuesOf).join(' '),
    attempts.map(valuesOf).join(' '),
    valuesOf(foreign),
    ...workers.map(valuesOf).sort(),
  ].join('|');
}

/** The newest order of the payout. */
const newestOf = ({ transfers }: TransferWorld): Transfer => transfers.at(-1) as Transfer;
const isMined = ({ place }: { place: string }) => place === 'mined' || place === 'final';
/** How many nonces the blocks have spent. */
function spentOf({ attempts, foreign }: TransferWorld, isFinal: boolean): number {
  const counts = (one: { place: string }) => (isFinal ? one.place === 'final' : isMined(one));
  return attempts.filter(counts).length + Number(foreign !== null && counts(foreign));
}

const factsOfPayout = (world: TransferWorld): PayoutFacts => {
  const { state, isCancelAsked } = newestOf(world);
  return {
    status: world.payout,
    isApproved: true,
    isImported: false,
    hasItsShares: true,
    hasItsAddress: world.isBacked,
    transfer: state,
    isCancelAsked,
  };
};

const clone = (world: TransferWorld): TransferWorld => ({
  ...world,
  transfers: world.transfers.map((transfer) => ({ ...transfer })),
  attempts: world.attempts.map((attempt) => ({ ...attempt })),
  foreign: world.foreign && { ...world.foreign },
  workers: [...world.workers],
});

/** As the statements of the server: what is not in the state of the move stays. @returns whether it moved */
function move(transfer: Transfer, event: TransferEvent): boolean {
  const { from, to } = TRANSFER_MOVES[event];
  if (transfer.state !== from) return false;
  transfer.state = to;
  return true;
}
function movePayout(world: TransferWorld, event: PayoutEvent): boolean {
  const { from, to } = PAYOUT_MOVES[event];
  if (!(from as readonly PayoutStatus[]).includes(world.payout)) return false;
  world.payout = to;
  return true;
}

/** Everything that can happen next. */
export function stepsOfTransfers(bounds: TransferBounds, guards: TransferGuards = TRANSFER_GUARDS) {
  return (world: TransferWorld): Step<TransferWorld>[] => {
    const steps: Step<TransferWorld>[] = [];
    const step = (name: string, change: (next: TransferWorld) => void) => {
      const next = clone(world);
      change(next);
      steps.push([name, next]);
    };
    const [one, other] = world.workers;
    for (const index of valuesOf(one) === valuesOf(other) ? [0] : [0, 1])
      workerSteps(world, index, bounds, guards, step);
    chainSteps(world, bounds, step);
    operatorSteps(world, bounds, guards, step);
    return steps;
  };
}

type AddStep = (name: string, change: (next: TransferWorld) => void) => void;

function workerSteps(
  world: TransferWorld,
  index: number,
  bounds: TransferBounds,
  guards: TransferGuards,
  step: AddStep,
): void {
  const worker = world.workers[index] as Worker;
  const set = (name: string, after: Worker, change: (next: TransferWorld) => void = () => {}) =>
    step(`worker ${name}`, (next) => {
      next.workers[index] = after;
      change(next);
    });
  if (worker.at === 'idle') lookSteps(world, bounds, guards, set);
  else set('stops', IDLE);
  if (worker.at === 'prepared')
    step('worker signs', (next) => {
      next.workers[index] = signPrepared(next, worker, bounds, guards);
    });
  if (worker.at === 'signed') set('broadcasts', IDLE, (next) => send(next, worker.attempt));
  if (worker.at === 'signed' && !guards.keepsBytes)
    set('plans again after an error', IDLE, (next) => {
      send(next, worker.attempt);
      const transfer = next.transfers[(next.attempts[worker.attempt] as Attempt).transfer] as Transfer;
      Object.assign(transfer, { state: 'planned', nonce: null });
    });
  if (worker.at === 'seen') set(`books ${worker.end}`, IDLE, (next) => conclude(next, worker, guards));
  if (worker.at === 'suspects')
    set('freezes', IDLE, (next) => {
      const transfer = next.transfers[worker.transfer] as Transfer;
      if (transfer.state !== TRANSFER_MOVES.cancelled.from) return;
      next.isFrozen = true;
      transfer.isSuspected = true;
    });
  if (worker.at === 'replaces')
    step('worker signs again', (next) => {
      next.workers[index] = signAgain(next, worker, bounds);
    });
}

/** What an idle worker finds: `observe-sent.ts` and the beginning of `sign-ready.ts`. */
function lookSteps(
  world: TransferWorld,
  bounds: TransferBounds,
  guards: TransferGuards,
  set: (name: string, after: Worker, change?: (next: TransferWorld) => void) => void,
): void {
  const latest = spentOf(world, false);
  for (const [transfer, { state, nonce, isCancelAsked }] of world.transfers.entries()) {
    if (state === TRANSFER_MOVES.signed.from && !world.isFrozen && !world.isStopped) {
      // The chain has more transactions of this wallet than the books.
      if (latest > world.nextNonce)
        set('freezes: chain ahead', IDLE, (next) => {
          next.isFrozen = true;
        });
      else set('prepares', { at: 'prepared', transfer, nextNonce: world.nextNonce });
    }
    if (state !== TRANSFER_MOVES.paid.from || nonce === null) continue;
    const own = world.attempts.filter((attempt) => attempt.transfer === transfer);
    if (nonce < spentOf(world, guards.waitsForFinality)) {
      const mined = own.find((attempt) =>
        guards.waitsForFinality ? attempt.place === 'final' : isMined(attempt),
      );
      if (!mined) set('suspects', { at: 'suspects', transfer });
      else set('sees a receipt', { at: 'seen', transfer, end: endOf(mined) });
    } else if (nonce >= latest && !world.isFrozen) {
      const newest = world.attempts.findLastIndex((attempt) => attempt.transfer === transfer);
      const isNewestCancel = world.attempts[newest]?.isCancel ?? false;
      set('sends again', { at: 'signed', attempt: newest });
      const instead = replacementOf({
        isCancelAsked,
        isNewestCancel,
        isUnderpriced: false,
        isOld: true,
        isNext: nonce === latest,
        isStopped: world.isStopped,
      });
      if (instead !== null && world.attempts.length < bounds.attempts)
        set('replaces', { at: 'replaces', transfer, attempts: own.length, isCancel: instead === 'cancel' });
    }
  }
}

const ASKED = { token: '0x1', from: '0x2', to: '0x3', units: 1n };
function endOf({ isCancel, isSuccess }: Attempt): TransferEnd {
  const end = readReceipt(ASKED, { isCancel, isSuccess, moved: isSuccess && !isCancel ? [ASKED] : [] });
  if (end === 'nothing_moved' || end === 'receipt_differs') throw new Error(`no receipt here says ${end}`);
  return end;
}

/** The transaction of `sign-ready.ts`, and that of `set-aside.ts` after it. */
function signPrepared(
  next: TransferWorld,
  seen: Extract<Worker, { at: 'prepared' }>,
  { attempts }: TransferBounds,
  { readsStateUnderLock, readsNonceUnderLock, hasUniqueNonces }: TransferGuards,
): Worker {
  const transfer = next.transfers[seen.transfer] as Transfer;
  const isPlanned = transfer.state === TRANSFER_MOVES.signed.from;
  if (next.isFrozen || next.isStopped || next.attempts.length >= attempts) return IDLE;
  if (readsStateUnderLock && !isPlanned) return IDLE;
  if (!next.isBacked) {
    if (move(transfer, 'set_aside')) movePayout(next, 'moved_nothing');
    return IDLE;
  }
  const nonce = readsNonceUnderLock ? next.nextNonce : seen.nextNonce;
  if (hasUniqueNonces && next.attempts.some((each) => each.nonce === nonce)) return IDLE;
  move(transfer, 'signed');
  transfer.nonce = nonce;
  next.nextNonce = nonce + 1;
  movePayout(next, 'signed');
  return store(next, { transfer: seen.transfer, nonce, isCancel: false });
}

/** The transaction of `replace-stuck.ts`. */
function signAgain(
  next: TransferWorld,
  { transfer: index, attempts, isCancel }: Extract<Worker, { at: 'replaces' }>,
  bounds: TransferBounds,
): Worker {
  const { state, nonce } = next.transfers[index] as Transfer;
  if (next.isFrozen || state !== TRANSFER_MOVES.paid.from || nonce === null) return IDLE;
  if (next.attempts.filter(({ transfer }) => transfer === index).length !== attempts) return IDLE;
  if ((!isCancel && next.isStopped) || next.attempts.length >= bounds.attempts) return IDLE;
  return store(next, { transfer: index, nonce, isCancel });
}

function store(next: TransferWorld, signed: Pick<Attempt, 'transfer' | 'nonce' | 'isCancel'>): Worker {
  next.attempts.push({ ...signed, place: 'stored', isSuccess: false });
  return { at: 'signed', attempt: next.attempts.length - 1 };
}

/** Servers take bytes of a nonce that no block has spent. */
function send(next: TransferWorld, index: number): void {
  const attempt = next.attempts[index];
  if (attempt?.place === 'stored' && attempt.nonce >= spentOf(next, false)) attempt.place = 'pool';
}

/** The transaction of `conclude-transfers.ts`. */
function conclude(
  next: TransferWorld,
  { transfer: index, end }: Extract<Worker, { at: 'seen' }>,
  { endsOnce }: TransferGuards,
): void {
  const transfer = next.transfers[index] as Transfer;
  const event = end === 'final' ? 'paid' : end;
  if (!move(transfer, event) && endsOnce) return;
  if (event === 'paid') transfer.booked += 1;
  movePayout(next, event === 'paid' ? 'paid' : 'moved_nothing');
}

function chainSteps(world: TransferWorld, bounds: TransferBounds, step: AddStep): void {
  const latest = spentOf(world, false);
  const finalized = spentOf(world, true);
  for (const [index, { place, nonce, isCancel }] of world.attempts.entries()) {
    const set = (name: string, to: Attempt['place'], isSuccess = false) =>
      step(`chain ${name}`, (next) => {
        Object.assign(next.attempts[index] as Attempt, { place: to, isSuccess });
      });
    if (place === 'pool' && nonce === latest) {
      set('mines', 'mined', true);
      if (!isCancel) set('mines a failure', 'mined');
    }
    if (place === 'pool') set('forgets', 'stored');
    if (place === 'mined' && nonce === finalized)
      step('chain finalizes', (next) => {
        (next.attempts[index] as Attempt).place = 'final';
      });
    if (place === 'mined' && nonce === latest - 1 && world.reorganisations > 0)
      step('chain takes a block back', (next) => {
        Object.assign(next.attempts[index] as Attempt, { place: 'pool', isSuccess: false });
        next.reorganisations -= 1;
      });
  }
  if (bounds.hasForeign && world.foreign === null)
    step('another signer uses the wallet', (next) => {
      next.foreign = { nonce: latest, place: 'mined' };
    });
  if (world.foreign?.place === 'mined' && world.foreign.nonce === finalized)
    step('chain finalizes', (next) => {
      next.foreign = world.foreign && { ...world.foreign, place: 'final' };
    });
}

function operatorSteps(
  world: TransferWorld,
  bounds: TransferBounds,
  guards: TransferGuards,
  step: AddStep,
): void {
  const facts = factsOfPayout(world);
  const mayOrder = world.transfers.length < bounds.transfers;
  if (guards.offersAllowed ? canCancelPayout(facts) : true)
    step('operator cancels', (next) => {
      const newest = newestOf(next);
      const isVoid = move(newest, 'taken_back');
      if (isVoid && !movePayout(next, 'taken_back')) next.refused = 'taken_back';
      if (isVoid) return;
      if (newest.state !== TRANSFER_MOVES.cancelled.from) next.refused = 'cancel';
      newest.isCancelAsked = true;
    });
  if (canRetryPayout(facts) && mayOrder) step('operator retries', (next) => orderAgain(next));
  if (canResendPayout(facts) && !world.isBacked && mayOrder)
    step('operator sends again', (next) => {
      if (!movePayout(next, 'sent_again')) next.refused = 'sent_again';
      move(newestOf(next), 'taken_back');
      next.payout = 'pending';
      next.isBacked = true;
      orderAgain(next);
    });
  if (world.isFrozen && guards.unfreezes)
    step('operator unfreezes', (next) => {
      next.isFrozen = false;
      for (const transfer of next.transfers) {
        if (!transfer.isSuspected || !move(transfer, REVIEWED.foreign_transaction)) continue;
        if (!movePayout(next, 'moved_nothing')) next.refused = 'moved_nothing';
      }
      next.nextNonce = Math.max(next.nextNonce, spentOf(next, false));
    });
  if (!bounds.hasHolds) return;
  step(world.isStopped ? 'operator lifts the stop' : 'operator stops payments', (next) => {
    next.isStopped = !world.isStopped;
  });
  if (world.isBacked && world.transfers.length === 1)
    step('operator changes the address', (next) => {
      next.isBacked = false;
    });
}

/** A planned transfer of a failed payout goes on; otherwise there is a new one. */
function orderAgain(next: TransferWorld): void {
  const { state } = newestOf(next);
  if (state !== 'planned') next.transfers.push({ ...PLANNED });
  if (!movePayout(next, 'ordered_with_deposits')) next.refused = 'ordered_with_deposits';
}

/** Payments of the payout that are in blocks. */
const paymentsOf = ({ attempts }: TransferWorld) =>
  attempts.filter((attempt) => isMined(attempt) && !attempt.isCancel && attempt.isSuccess);

/** Each rule, by its name: what is wrong in a state; null: nothing. */
export const TRANSFER_RULES = {
  paidOnce: (world: TransferWorld) => (paymentsOf(world).length > 1 ? 'paid twice' : null),
  oneContentPerNonce({ attempts }: TransferWorld) {
    const isOther = (a: Attempt, b: Attempt) => a.nonce === b.nonce && a.transfer !== b.transfer;
    return attempts.some((a) => attempts.some((b) => isOther(a, b))) ? 'two transfers for one nonce' : null;
  },
  oneNoncePerTransfer({ attempts }: TransferWorld) {
    const isOther = (a: Attempt, b: Attempt) => a.transfer === b.transfer && a.nonce !== b.nonce;
    return attempts.some((a) => attempts.some((b) => isOther(a, b))) ? 'two nonces for one transfer' : null;
  },
  bookedWhenFinal(world: TransferWorld) {
    const isWrong = world.transfers.some(({ state, booked }, index) => {
      const isPaid = world.attempts.some(
        (each) => each.transfer === index && each.place === 'final' && !each.isCancel && each.isSuccess,
      );
      return booked !== Number(state === 'final') || (booked > 0 && !isPaid);
    });
    return isWrong ? 'booked otherwise than paid in a final block' : null;
  },
  statusAsBooked: ({ payout, transfers }: TransferWorld) =>
    (payout === 'distributed') === transfers.some(({ state }) => state === 'final')
      ? null
      : `${payout} otherwise than its transfers`,
  offersKept: ({ refused }: TransferWorld) => refused && `offered and refused: ${refused}`,
};

/** A transfer that was sent waits no more, and an end stays. */
export function wrongTransferStep(before: TransferWorld, _: string, after: TransferWorld): string | null {
  const isWrong = before.transfers.some(({ state: from }, index) => {
    const to = after.transfers[index]?.state;
    if (from === to) return false;
    return !Object.values(TRANSFER_MOVES).some((each) => each.from === from && each.to === to);
  });
  return isWrong ? 'a state went back' : null;
}

/** Paid and booked, or failed with an act that the console offers; no worker is in the middle of anything. */
export function isTransferEnd(world: TransferWorld): boolean {
  if (world.isFrozen || world.workers.some(({ at }) => at !== 'idle')) return false;
  if (world.payout === 'distributed') return true;
  const facts = factsOfPayout(world);
  const isEnded = (MOVED_NOTHING as readonly TransferState[]).includes(newestOf(world).state);
  return isEnded && world.payout === 'failed' && (canRetryPayout(facts) || canResendPayout(facts));
}
