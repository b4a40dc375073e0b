import { call } from '../../../lib/api.ts';
import { type Invoice, type InvoiceGroup, wireFilters } from '../invoices-queries.ts';
import type { InvoiceNarrowing } from '../invoices-search.ts';
import { isOfOneStranger } from '../list/unknown-group.ts';
import type { ActKind, Chosen } from './act.ts';

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
  | { invoice_ids: string[] }
);

/** Sends the action and returns how many invoices changed. */
export async function sendAct(
  kind: ActKind,
  { groups, invoices }: Chosen,
  filters: InvoiceNarrowing,
  keys: ActKeys,
): Promise<number> {
  let changed = 0;
  const named = groups.filter((group) => !isOfOneStranger(group));
  if (named.length > 0) changed += await sendSelected(kind, wholeGroups(named, filters), keys.groups);
  const [stranger] = groups.filter(isOfOneStranger);
  if (stranger) {
    const { groups: ofUnknown, ...selected } = wholeGroups([stranger], filters);
    const ofTrader = {
      ...ofUnknown,
      filters: { ...ofUnknown.filters, trader_id: stranger.trader?.id ?? '' },
    };
    changed += await sendSelected(kind, { ...selected, groups: ofTrader }, keys.stranger);
  }
  const [only, ...others] = invoices;
  if (only && others.length === 0 && groups.length === 0) return sendOne(kind, only, keys.invoices);
  if (only) {
    const selected = { invoice_ids: invoices.map(({ id }) => id), expected_count: invoices.length };
    changed += await sendSelected(kind, selected, keys.invoices);
  }
  return changed;
}

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

async function sendSelected(kind: ActKind, selected: Selected, idempotencyKey: string): Promise<number> {
  const { data } =
    kind === 'pay' || kind === 'unpay'
      ? await call('PATCH /api/invoices/admin/status', {
          body: { ...selected, is_paid: kind === 'pay' },
          idempotencyKey,
        })
      : await call('PATCH /api/invoices/admin/archive', {
          body: { ...selected, is_archived: kind === 'archive' },
          idempotencyKey,
        });
  return data.changed;
}

async function sendOne(kind: ActKind, { id }: Invoice, idempotencyKey: string): Promise<number> {
  if (kind === 'pay' || kind === 'unpay') {
    const body = { is_paid: kind === 'pay' };
    await call('PATCH /api/invoices/{id}/status', { params: { id }, body, idempotencyKey });
  } else {
    const body = { is_archived: kind === 'archive' };
    await call('PATCH /api/invoices/{id}/archive', { params: { id }, body, idempotencyKey });
  }
  return 1;
}
