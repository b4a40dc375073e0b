import { unitsToDecimal } from '@copydesk/domain/money';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';

interface OnItsWay {
  trader_id: string;
  units: string;
  since: Date;
}

async function listOnItsWay(tx: Tx, traderIds: RawBuilder<unknown>): Promise<OnItsWay[]> {
  const { rows } = await sql<OnItsWay>`
    SELECT w.trader_id, w.units::text, w.since FROM app.on_its_way(${traderIds}) w ORDER BY w.since`.execute(
    tx.sql,
  );
  return rows;
}

/** @throws Refusal `payment_on_its_way` while money is on its way to a trader of these invoices */
export const requireNothingOnItsWay = (tx: Tx, invoiceIds: readonly string[]): Promise<void> =>
  refuse(tx, sql`ARRAY(SELECT i.trader_id FROM invoice i WHERE i.id = ANY (${[...invoiceIds]}::uuid[]))`);

/** @throws Refusal `payment_on_its_way` while money is on its way to a trader of the community */
export const requireNothingOnItsWayTo = (tx: Tx, communityId: string): Promise<void> =>
  refuse(
    tx,
    sql`ARRAY(SELECT t.id FROM trader t JOIN incoming_transfer n ON n.trader_id = t.id
    WHERE t.community_id = ${communityId})`,
  );

async function refuse(tx: Tx, traderIds: RawBuilder<unknown>): Promise<void> {
  const found = await listOnItsWay(tx, traderIds);
  const [first] = found;
  if (!first) return;
  const units = found.reduce((sum, one) => sum + BigInt(one.units), 0n);
  const since = first.since.toISOString().slice(11, 16);
  throw new Refusal('payment_on_its_way', {
    message: `${unitsToDecimal(units)} USDT ${found.length === 1 ? 'has' : `of ${found.length} traders have`} been on the way since ${since} UTC. Wait until it is final, 15 minutes at most, and try again.`,
    details: found.map(({ trader_id, units: amount, since: at }) => ({
      path: trader_id,
      message: `${unitsToDecimal(BigInt(amount))} USDT since ${at.toISOString()}`,
    })),
  });
}
