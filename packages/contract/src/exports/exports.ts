import { EXPORT_LISTS, EXPORT_REASONS, type ExportList } from '@copydesk/domain/exports';
import { z } from 'zod';
import { auditCalls, securityLogCalls } from '../audit/index.ts';
import { type Entry, entries, ok } from '../entry.ts';
import { byId, id, timestamp } from '../fields.ts';
import { invoiceCalls } from '../invoices/index.ts';
import { payoutCalls } from '../payouts/index.ts';
import { refinedBy } from '../refined.ts';
import { traderCalls, traderHistoryCalls } from '../traders/index.ts';

/** The call that streams each list at once. In the background the same list has the same parameters and rights. */
export const EXPORT_CALLS = {
  traders: 'GET /api/traders/export',
  closed_positions: 'GET /api/traders/{id}/closed-positions/export',
  invoices: 'GET /api/invoices/export',
  payouts: 'GET /api/sweep-operations/export',
  audit: 'GET /api/audit/export',
  refusals: 'GET /api/audit/refusals/export',
} as const satisfies Record<ExportList, string>;
export type ExportCall = (typeof EXPORT_CALLS)[ExportList];

const calls = {
  ...traderCalls,
  ...traderHistoryCalls,
  ...invoiceCalls,
  ...payoutCalls,
  ...auditCalls,
  ...securityLogCalls,
};

/** What the streamed call of a list is: its permission, and the schemas of its parameters. */
export const exportEntry = (list: ExportList): Entry => calls[EXPORT_CALLS[list]];

type Given = Partial<Record<'params' | 'query', Record<string, string>>>;
const NOTHING = z.strictObject({});

/**
 * What was asked for, as the list's own export call parses it.
 * @throws z.ZodError where that call would refuse it
 */
export function parseExport(list: ExportList, { params = {}, query = {} }: Given) {
  const entry = exportEntry(list);
  return { params: (entry.params ?? NOTHING).parse(params), query: (entry.query ?? NOTHING).parse(query) };
}

/** Values as they are in an address. */
const inAddress = z.record(z.string().max(50), z.string().max(1_000));

const MOST_NAMED = 1_000;
/** Some rows of a list, or all that match less some. */
const selected = z.strictObject({
  ids: z.array(id).max(MOST_NAMED).optional().describe('rows by their ids'),
  trader_ids: z
    .array(id)
    .max(MOST_NAMED)
    .optional()
    .describe('of invoices: all that match of these traders as well'),
  except: z
    .array(id)
    .max(MOST_NAMED)
    .optional()
    .describe(
      'all that match but those of these traders; of invoices, and of traders without a reference number',
    ),
});
export type SelectedRows = z.infer<typeof selected>;

function problemsOfSelection(list: ExportList, { ids, trader_ids: traderIds, except }: SelectedRows) {
  const named = [...(ids ?? []), ...(traderIds ?? [])];
  const message =
    list !== 'traders' && list !== 'invoices'
      ? 'Rows of this list cannot be selected'
      : list === 'traders' && traderIds
        ? 'Of traders, name them by ids'
        : (except !== undefined) === named.length > 0
          ? 'Name rows, or those that are left out'
          : null;
  return message === null ? [] : [{ code: 'custom' as const, path: ['selected'], message }];
}

const asked = refinedBy(
  z.strictObject({
    list: z.enum(EXPORT_LISTS),
    params: inAddress.optional().describe("the parameters in the path of the list's own export call"),
    query: inAddress.optional().describe("the query of the list's own export call"),
    selected: selected.optional().describe('of traders and invoices: only these rows'),
  }),
  (value) => {
    const entry = exportEntry(value.list);
    const ofRows = value.selected ? problemsOfSelection(value.list, value.selected) : [];
    const ofParts = (['params', 'query'] as const).flatMap((part) => {
      const found = (entry[part] ?? NOTHING).safeParse(value[part] ?? {});
      return (found.error?.issues ?? []).map((issue) => ({ ...issue, path: [part, ...issue.path] }));
    });
    return [...ofRows, ...ofParts];
  },
);

const made = z
  .object({
    id,
    list: z.enum(EXPORT_LISTS),
    params: inAddress,
    query: inAddress,
    /** Whether it is of selected rows alone. */
    is_selection: z.boolean(),
    state: z.enum(['waiting', 'running', 'ready', 'failed']),
    /** Written so far. */
    rows: z.int(),
    /** As counted when it was asked for, and again when it began; null: more than are counted. */
    rows_expected: z.int().nullable(),
    /** Of the whole file, its last line included; null: there is none. */
    bytes: z.int().nullable(),
    sha256: z.string().nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
    /** When the file goes, or went; null: there is none. */
    expires_at: timestamp.nullable(),
    reason: z.enum(EXPORT_REASONS).nullable().describe('why it failed'),
    is_covered: z
      .boolean()
      .describe("whether the caller's present access covers the rows of the file: without, it is refused"),
  })
  .meta({ id: 'Export' });
export type Export = z.infer<typeof made>;

export const exportCalls = entries({
  'GET /api/exports': {
    summary: 'Exports of the caller, newest first, of the last 30 days',
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    answer: ok(z.array(made)),
    errors: ['person_required'],
  },
  'POST /api/exports': {
    summary: 'Has a worker write a list as a CSV file, which is kept for seven days',
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    body: asked,
    answer: ok(made),
    status: 202,
    errors: ['not_found', 'super_admin_required', 'person_required', 'exports_unfinished', 'exports_kept'],
    perMinute: 30,
  },
  'GET /api/exports/{id}/file': {
    summary: 'The file of an export of the caller, if its access still covers the rows',
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    params: byId,
    answer: { stream: 'text/csv' },
    errors: ['not_found', 'person_required', 'export_not_ready', 'export_expired', 'export_access_changed'],
    perMinute: 30,
  },
  'DELETE /api/exports/{id}': {
    summary: 'Cancels an export of the caller, or deletes its file',
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    params: byId,
    answer: z.object({ success: z.literal(true) }),
    errors: ['not_found', 'person_required'],
  },
});
