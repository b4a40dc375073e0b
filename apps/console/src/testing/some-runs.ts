import type { CallAnswer } from '@copydesk/contract';
import { AT } from './show-invoices.ts';
import { idOf } from './show-screen.tsx';

type Run = CallAnswer<'GET /api/invoices/runs'>['data'][number];
type Detail = CallAnswer<'GET /api/invoices/runs/{id}'>['data'];
type Lines = CallAnswer<'GET /api/invoices/runs/{id}/lines'>;
type Line = Lines['data'][number];

/** An invoicing run that is done. */
export const runOf = (over: Partial<Run> = {}): Run => ({
  ...{
    id: idOf(1),
    trader_id: null,
    trader: null,
    community_id: null,
    community: null,
    state: 'done',
    traders: 9,
    positions: 10,
    invoices: 5,
  },
  ...{ amount: '120.5', carried: 1, carried_amount: '0.95', requested_by: 'super@copydesk.example' },
  ...{
    recalled: 0,
    recalled_amount: '0',
    drafted_at: null,
    sent_by: null,
    problem_count: 0,
    messages: { waiting: 0, failed: 0 },
  },
  ...{ created_at: AT, finished_at: AT },
  ...over,
});

export const detailOf = (over: Partial<Detail> = {}): Detail => ({
  ...runOf(),
  ...{ previous: null, problems: [] },
  ...over,
});

export const lineOf = (n: number, over: Partial<Line> = {}): Line => ({
  ...{ trader_id: idOf(100 + n), name: `Trader ${n}`, telegram_username: `trader_${n}` },
  ...{ reference_number: `KAIT-${100 + n}`, community_id: idOf(3), community: 'Blue Harbor' },
  ...{ outcome: 'invoice', reason: null, invoices: 1, positions: 2, amount: '60.5', carried: '0' },
  is_reachable: true,
  ...over,
});

/** A page of traders, of whom `over` says more. */
export const linesOf = (data: Line[], over: Partial<Lines['meta']> = {}): Lines => ({
  success: true,
  data,
  meta: {
    total: data.length,
    outcomes: {
      invoice: { traders: 4, amount: '120.5' },
      excluded: { traders: 1, amount: '25' },
      carried: { traders: 1, amount: '0.95' },
      left_out: { traders: 3, amount: '0' },
    },
    unreachable: 1,
    ...over,
  },
});
