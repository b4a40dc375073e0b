import { unitsToDecimal } from '@copydesk/domain/money';
import { z } from 'zod';
import { GatewayError } from '../../gateway.ts';
import type { InternalTransfer, MoveRefusal, MoveResult } from '../../pool-records.ts';
import { readShape } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { COIN, units } from './pool-shapes.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const moveAnswer = z.object({ result: z.object({ transferId: z.string(), status: z.string() }) });

const transfersAnswer = z.object({
  result: z.object({
    list: z.array(
      z.object({ transferId: z.string(), coin: z.literal(COIN), amount: units, status: z.string() }),
    ),
  }),
});

const STATES: Record<string, InternalTransfer['state']> = {
  SUCCESS: 'done',
  PENDING: 'under_way',
  FAILED: 'failed',
};

/** A transfer with this id exists. */
const EXISTS = '131214';

/** The refusals after which nothing has moved: https://bybit-exchange.github.io/docs/v5/error#asset */
const REFUSALS: Record<string, MoveRefusal> = {
  131206: 'forbidden',
  131208: 'forbidden',
  131210: 'invalid_amount',
  131212: 'insufficient_balance',
  131213: 'forbidden',
  131215: 'invalid_amount',
  131217: 'forbidden',
  131226: 'forbidden',
  131228: 'insufficient_balance',
  131229: 'forbidden',
  131231: 'forbidden',
  131232: 'forbidden',
};

const stateOf = (status: string): InternalTransfer['state'] => STATES[status] ?? 'unknown';

const isSameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** @param answer of GET /v5/asset/transfer/query-inter-transfer-list */
export function readBybitTransfer(answer: unknown, transferId: string): InternalTransfer | null {
  const { list } = readShape(transfersAnswer, answer).result;
  const found = list.find((one) => isSameId(one.transferId, transferId));
  if (!found) return null;
  const { amount: amountUnits, status } = found;
  return { transferId, amountUnits, status, state: stateOf(status) };
}

export async function findBybitTransfer(
  session: Session,
  transferId: string,
): Promise<InternalTransfer | null> {
  const answer = await session.call(BYBIT_POOL.internalTransfers, { transferId, coin: COIN });
  return readBybitTransfer(answer, transferId);
}

/** @throws GatewayError unsupported for an id that is not a UUID: it would not protect against a second move */
export async function moveBybitToUnified(
  session: Session,
  { transferId, amountUnits }: { transferId: string; amountUnits: bigint },
): Promise<MoveResult> {
  if (!UUID.test(transferId)) throw new GatewayError('unsupported');
  if (amountUnits <= 0n) return { state: 'refused', reason: 'invalid_amount', venueCode: null };
  try {
    const answer = await session.call(BYBIT_POOL.move, {
      transferId,
      coin: COIN,
      amount: unitsToDecimal(amountUnits),
      fromAccountType: 'FUND',
      toAccountType: 'UNIFIED',
    });
    const { result } = readShape(moveAnswer, answer);
    if (!isSameId(result.transferId, transferId)) throw new GatewayError('bad_response');
    return { state: stateOf(result.status), status: result.status };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.venueCode === null) throw error;
    if (error.venueCode === EXISTS) return findFirstMove(session, transferId);
    const reason = REFUSALS[error.venueCode];
    if (reason === undefined) throw error;
    return { state: 'refused', reason, venueCode: error.venueCode };
  }
}

/** The id exists, so the first move was accepted even while the list does not have it yet. */
async function findFirstMove(session: Session, transferId: string): Promise<MoveResult> {
  const { state, status } = (await findBybitTransfer(session, transferId)) ?? {
    state: 'unknown' as const,
    status: 'STATUS_UNKNOWN',
  };
  return { state, status };
}
