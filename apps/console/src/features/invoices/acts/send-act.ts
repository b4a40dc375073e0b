import type { InvoiceTab } from '@copydesk/domain/invoices';
import { call } from '../../../lib/api/api.ts';
import { type Invoice, type InvoiceGroup, wireFilters } from '../invoices-queries.ts';
import type { InvoiceNarrowing } from '../invoices-search.ts';
import { isOfOneStranger } from '../list/unknown-group.ts';
import type { ActKind, ActPlan, Chosen } from './act.ts';

/** The idempotency keys of one confirmation: a repeated request takes effect once. */
export interface ActKeys {
  groups: string;
  /** The key of a trader without a reference number. */
  stranger: string;
  invoices: string;
}

export const newActKeys = (): ActKeys => ({
  groups: crypto.randomUUID(),
  stranger: crypto.randomUUID(),
  invoices: crypto.randomUUID(),
});

type Selected = { expected_count: number } & (
  | {
      groups: {
        reference_numbers: string[];
        filters: ReturnType<typeof wireFilters> & { trader_id?: string };
        in_archive: boolean;
      };
    }
  | { matching: ReturnType<typeof matchingOf> }
  | { invoice_ids: string[] }
);

/** What became of an action: how many invoices changed, and how many parts of it wait for another super admin. */
export interface ActResult {
  changed: number;
  waiting: number;
}

const sum = (results: readonly ActResult[]): ActResult => ({
  changed: results.reduce((all, { changed }) => all + changed, 0),
  waiting: results.reduce((all, { waiting }) => all + waiting, 0),
});

/** Sends the action. Each call is one whole, which changes everything or waits. */
export async function sendAct(
  kind: ActKind,
  { chosen, plan }: { chosen: Chosen; plan: ActPlan | null },
  filters: InvoiceNarrowing & { tab: InvoiceTab },
  keys: ActKeys,
  reason: string,
): Promise<ActResult> {
  const how = { kind, reason: reason.trim() };
  const { groups, invoices, allBut } = chosen;
  if (allBut) {
    const expected_count = plan?.selected?.invoices ?? 0;
    return sendSelected(how, { matching: matchingOf(allBut, filters), expected_count }, keys.groups);
  }
  const results: ActResult[] = [];
  const named = groups.filter((group) => !isOfOneStranger(group));
  if (named.length > 0) results.push(await sendSelected(how, wholeGroups(named, filters), keys.groups));
  const [stranger] = groups.filter(isOfOneStranger);
  if (stranger) {
    const { groups: ofUnknown, ...selected } = wholeGroups([stranger], filters);
    const ofTrader = {
      ...ofUnknown,
      filters: { ...ofUnknown.filters, trader_id: stranger.trader?.id ?? '' },
    };
    results.push(await sendSelected(how, { ...selected, groups: ofTrader }, keys.stranger));
  }
  const [only, ...others] = invoices;
  if (only && others.length === 0 && groups.length === 0) return sendOne(how, only, keys.invoices);
  if (only) {
    const selected = { invoice_ids: invoices.map(({ id }) => id), expected_count: invoices.length };
    results.push(await sendSelected(how, selected, keys.invoices));
  }
  return sum(results);
}

/** All groups of the tab, as the server takes them. */
export const matchingOf = (
  allBut: NonNullable<Chosen['allBut']>,
  filters: InvoiceNarrowing & { tab: InvoiceTab },
) => ({
  tab: filters.tab,
  filters: wireFilters(filters),
  except: allBut.map(({ reference }) => reference),
});

function wholeGroups(groups: readonly InvoiceGroup[], filters: InvoiceNarrowing) {
  return {
    groups: {
      reference_numbers: groups.map((group) => group.reference_number),
      filters: wireFilters(filters),
      in_archive: groups[0]?.is_archived ?? false,
    },
    expected_count: groups.reduce((sum, group) => sum + group.invoice_count, 0),
  };
}

interface How {
  kind: ActKind;
  reason: string;
}

/** Only what gives up an unpaid amount has a reason. */
const withReason = ({ kind, reason }: How) =>
  reason !== '' && (kind === 'pay' || kind === 'archive') ? { reason } : {};

const resultOf = (data: object, changed: number): ActResult =>
  'state' in data ? { changed: 0, waiting: 1 } : { changed, waiting: 0 };

async function sendSelected(how: How, selected: Selected, idempotencyKey: string): Promise<ActResult> {
  const { kind } = how;
  const common = { ...selected, ...withReason(how) };
  const { data } =
    kind === 'pay' || kind === 'unpay'
      ? await call('PATCH /api/invoices/admin/status', {
          body: { ...common, is_paid: kind === 'pay' },
          idempotencyKey,
        })
      : await call('PATCH /api/invoices/admin/archive', {
          body: { ...common, is_archived: kind === 'archive' },
          idempotencyKey,
        });
  return resultOf(data, 'changed' in data ? data.changed : 0);
}

async function sendOne(how: How, { id }: Invoice, idempotencyKey: string): Promise<ActResult> {
  const { kind } = how;
  const params = { id };
  if (kind === 'pay' || kind === 'unpay') {
    const body = { is_paid: kind === 'pay', ...withReason(how) };
    const { data } = await call('PATCH /api/invoices/{id}/status', { params, body, idempotencyKey });
    return resultOf(data, 1);
  }
  const body = { is_archived: kind === 'archive', ...withReason(how) };
  const { data } = await call('PATCH /api/invoices/{id}/archive', { params, body, idempotencyKey });
  return resultOf(data, 1);
}
