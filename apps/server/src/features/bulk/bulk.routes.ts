import { bulkEntry } from '@copydesk/contract/bulk';
import { type Scope, scopeOf } from '@copydesk/domain/access';
import { BULK_REASONS, type BulkAct, MAX_UNFINISHED_BULK_ACTS, PREVIEWED_ROWS } from '@copydesk/domain/bulk';
import { unitsToDecimal } from '@copydesk/domain/money';
import type { Database, WriteTx } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { ownPerson } from '../../platform/http/own-person.ts';
import type { Person, Principal } from '../../platform/identity/identity.ts';
import { requireAccess } from '../../platform/identity/present-scope.ts';
import { Refusal } from '../../platform/refusal.ts';
import * as store from './bulk.store.ts';
import type { BulkParts } from './bulk-parts.ts';
import { type Planned, planAct, type Selected } from './bulk-plan.views.ts';

type BulkCalls = `${string} /api/bulk-acts${string}`;
const DEFAULT_PAGE = 50;

interface Asked extends Selected {
  act: BulkAct;
  status?: string | undefined;
}

/** Acts on many traders: what they would do, and ordering, following, stopping and repeating them. */
export function createBulkRoutes({
  db,
  parts,
}: {
  db: Database;
  parts: BulkParts;
}): Pick<Handlers, Extract<keyof Handlers, BulkCalls>> {
  const plan = (person: Person, asked: Asked) =>
    db.read(actScope(person, asked.act), (tx) =>
      planAct(tx, parts, { act: asked.act, selected: asked, params: { status: asked.status ?? null } }),
    );

  return {
    'POST /api/bulk-acts/preview': async ({ principal, body }) => {
      const planned = await plan(own(principal), body);
      return { success: true, data: previewOf(planned) };
    },

    'POST /api/bulk-acts': ({ principal, body, once }) => {
      const person = own(principal);
      const { act, status = null, expected_count: expected } = body;
      return once(
        async (tx, planned) => {
          if (planned.filter(({ reason }) => reason === null).length !== expected)
            throw new Refusal('bulk_selection_changed');
          await requireRoom(tx);
          const organizationId = person.organization?.id ?? null;
          const rows = planned.map(({ trader_id: traderId, before, reason }) => ({
            traderId,
            before,
            reason,
          }));
          const data = await store.insertAct(tx, { act, status, organizationId }, rows);
          tx.audit({
            action: 'bulk_act.created',
            target: { kind: 'bulk_act', id: data.id },
            after: { act, ...(status && { status }), traders: expected },
          });
          return { success: true, data };
        },
        () => plan(person, body),
      );
    },

    'GET /api/bulk-acts': async ({ principal, scope, actor }) => {
      const { id } = own(principal);
      return { success: true, data: await db.read(scope, (tx) => store.listActs(tx, id), actor) };
    },

    'GET /api/bulk-acts/{id}/rows': async ({ principal, scope, actor, params, query }) => {
      const person = own(principal);
      const { outcome, limit = DEFAULT_PAGE, offset = 0 } = query;
      const asked = { id: params.id, outcome, limit, offset };
      const found = await db.read(scope, (tx) => store.listRows(tx, person.id, asked), actor);
      if (!found) throw new Refusal('not_found');
      return { success: true, data: found.rows, meta: { total: found.total } };
    },

    'POST /api/bulk-acts/{id}/stop': async ({ principal, scope, actor, params }) => {
      own(principal);
      const data = await db.write(scope, actor, async (tx) => {
        const { state } = await locked(tx, params.id);
        if (state === 'done' || state === 'cancelled') throw new Refusal('bulk_ended');
        const stopped = await store.stopAct(tx, params.id);
        const target = { kind: 'bulk_act', id: params.id };
        tx.audit({ action: 'bulk_act.stopped', target, after: { done: stopped.done } });
        return stopped;
      });
      return { success: true, data };
    },

    'POST /api/bulk-acts/{id}/retry': async ({ principal, scope, actor, params }) => {
      const person = own(principal);
      const data = await db.write(scope, actor, async (tx) => {
        const { act, state, failed } = await locked(tx, params.id);
        actScope(person, act);
        if (state !== 'done' || failed === 0) throw new Refusal('bulk_nothing_failed');
        await requireRoom(tx);
        const target = { kind: 'bulk_act', id: params.id };
        tx.audit({ action: 'bulk_act.retried', target, after: { traders: failed } });
        return store.retryFailed(tx, params.id);
      });
      return { success: true, data };
    },
  };
}

const own = (principal: Principal) => ownPerson(principal, 'Bulk acts are shown to the person alone');

/** The traders on whom the person may perform the act: the same rights as for a single one. */
function actScope({ flags }: Person, act: BulkAct): Scope {
  const entry = bulkEntry(act);
  requireAccess(flags, entry);
  return scopeOf(flags, entry.capability);
}

async function requireRoom(tx: WriteTx): Promise<void> {
  if ((await store.countUnfinished(tx)) >= MAX_UNFINISHED_BULK_ACTS) throw new Refusal('bulk_unfinished');
}

async function locked(tx: WriteTx, id: string) {
  const act = await store.lockAct(tx, id);
  if (!act) throw new Refusal('not_found');
  return act;
}

function previewOf(planned: readonly Planned[]) {
  const will = planned.filter(({ reason }) => reason === null);
  const stay = planned.filter(({ reason }) => reason !== null);
  const isAboutMoney = planned.some(({ amount_units }) => amount_units !== null);
  return {
    total: planned.length,
    will: will.length,
    left_out: BULK_REASONS.map((reason) => ({
      reason,
      count: stay.filter((row) => row.reason === reason).length,
    })).filter(({ count }) => count > 0),
    amount: isAboutMoney
      ? unitsToDecimal(will.reduce((sum, row) => sum + BigInt(row.amount_units ?? 0), 0n))
      : null,
    rows: [...will, ...stay].slice(0, PREVIEWED_ROWS).map(({ amount_units: units, ...row }) => ({
      ...row,
      amount: units === null ? null : unitsToDecimal(BigInt(units)),
    })),
  };
}
