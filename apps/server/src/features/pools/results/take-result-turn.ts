import { randomUUIDv7 } from 'node:crypto';
import { commissionRateOf, type InvoicePlan, splitInvoice } from '@copydesk/domain/invoices';
import { invoiceIssued, poolFeeCharged, VALUED_CHUNK, valuedJournals } from '@copydesk/domain/ledger';
import { decideFee, type PoolFeeBasis, readCommissionRate } from '@copydesk/domain/pools';
import type { PlatformSettings } from '@copydesk/domain/settings';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import type { LiveSettings } from '../../../core/settings/live-settings.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { lockCycle } from '../harvest/cycles.store.ts';
import * as store from './allocations.store.ts';
import type { CyclePlace } from './decide-result.ts';
import { insertPoolInvoices, type NewPoolInvoice } from './pool-invoices.store.ts';

interface ResultDeps {
  db: Database;
  now: () => Date;
  settings: Pick<LiveSettings, 'current'>;
}

const DAY_MS = 86_400_000;

/**
 * Books one chunk of a decided result: the members' parts, their fees, and an invoice for each fee, in one transaction.
 * A chunk that was booked before a crash is not booked again.
 * @returns whether there is more to book
 */
export function takeResultTurn(deps: ResultDeps, place: CyclePlace): Promise<boolean> {
  const { db, now, settings } = deps;
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const cycle = await lockCycle(tx, place.poolId);
    if (cycle?.id !== place.cycleId || cycle.state.step !== 'opening') return false;
    const result = await store.readResult(tx, place);
    if (!result) return false;
    const { nextPlace, allocation } = result;
    const isLast = nextPlace === null || nextPlace + VALUED_CHUNK >= allocation.parts.length;
    const chunk = nextPlace === null ? null : Math.floor(nextPlace / VALUED_CHUNK);
    const journals = valuedJournals({ ...place, ...result }).filter(({ source }) => {
      const part = source.id.slice(place.cycleId.length + 1);
      // The pool's side comes first; a loss beyond all capital last.
      return part === '0' || part === String((chunk ?? -2) + 1) || (isLast && part === 'exchange');
    });
    await postJournals(
      tx,
      journals.map((draft) => ({ draft })),
    );
    if (chunk === null) return false;
    await chargeChunk(tx, place, {
      from: chunk * VALUED_CHUNK,
      basis: result.feeBasis,
      settings: settings.current(),
      now: now(),
    });
    return !isLast;
  });
}

interface FeeTerms {
  basis: PoolFeeBasis;
  settings: PlatformSettings;
  now: Date;
}

/** The fees of a chunk's members after their parts are booked, with their invoices. */
async function chargeChunk(
  tx: WriteTx,
  { poolId, cycleId }: CyclePlace,
  { from, ...terms }: { from: number } & FeeTerms,
): Promise<void> {
  const { now } = terms;
  const members = await store.lockChunk(tx, cycleId, { from, to: from + VALUED_CHUNK });
  const charged = members.map((member) => chargeOf(member, terms));
  const invoices = charged.flatMap(({ invoice }) => invoice ?? []);
  await insertPoolInvoices(tx, { poolId, cycleId }, invoices, now);
  await postJournals(
    tx,
    invoices.flatMap((invoice) => [
      { draft: invoiceIssued(invoice) },
      {
        draft: poolFeeCharged({ poolId, memberId: invoice.memberId }, invoice.amountUnits, {
          type: 'harvest_cycle',
          id: `${cycleId}:${invoice.memberId}`,
        }),
      },
    ]),
  );
  await store.saveBooked(
    tx,
    cycleId,
    charged.map(({ booked }) => booked),
    now,
  );
  for (const { invoiceId, traderId, amountUnits } of invoices)
    tx.audit({
      action: 'invoice.created',
      target: { kind: 'invoice', id: invoiceId },
      after: { trader_id: traderId, amount_units: amountUnits.toString(), harvest_cycle_id: cycleId },
    });
}

interface Charge {
  booked: store.Booked;
  invoice: NewPoolInvoice | null;
}

/** A provider that does not invoice charges no fee; losses are carried all the same. */
function chargeOf(member: store.DueMember, { basis, ...issued }: FeeTerms): Charge {
  const rate = member.isInvoicingEnabled ? commissionRateOf(member) : '0';
  const capitalUnits = member.shareUnits + member.allocatedUnits;
  const { feeUnits, carryUnits } = decideFee({ ...member, capitalUnits }, basis, readCommissionRate(rate));
  const invoice = feeUnits > 0n ? invoiceOf(member, { amountUnits: feeUnits, rate, ...issued }) : null;
  const { memberId, providerId } = member;
  return {
    invoice,
    booked: {
      memberId,
      providerId,
      invoiceId: invoice?.invoiceId ?? null,
      feeUnits,
      carryBeforeUnits: member.carryUnits,
      carryAfterUnits: carryUnits,
      capitalAfterUnits: capitalUnits - feeUnits,
    },
  };
}

function invoiceOf(
  member: store.DueMember,
  {
    amountUnits,
    rate,
    settings,
    now,
  }: { amountUnits: bigint; rate: string } & Pick<FeeTerms, 'settings' | 'now'>,
): NewPoolInvoice {
  const split = splitInvoice(amountUnits, { ...member, platformWeights: settings.platform_weights });
  if (!split) throw new Error(`the split of trader ${member.traderId} gives away more than the invoice`);
  const plan: InvoicePlan = {
    amountUnits,
    commissionRate: rate,
    split,
    dueAt: new Date(now.getTime() + settings.invoice_due_days * DAY_MS),
  };
  const { memberId, traderId, providerId } = member;
  return { ...plan, invoiceId: randomUUIDv7(), memberId, traderId, providerId, offPlatformUnits: 0n };
}
