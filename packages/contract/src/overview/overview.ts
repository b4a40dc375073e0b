import { DAY_FACTS, FIGURE_NAMES, type FigureName } from '@copydesk/domain/overview';
import { z } from 'zod';
import { type Entry, entries, ok } from '../entry.ts';
import { day, decimalString } from '../fields.ts';
import { invoiceCalls } from '../invoices/index.ts';
import { messageCalls } from '../messages/index.ts';
import { distributionCalls, payoutCalls, retryCalls } from '../payouts/index.ts';

const calls = { ...distributionCalls, ...invoiceCalls, ...messageCalls, ...payoutCalls, ...retryCalls };

/** The call that shows each figure: a caller that may not make it does not see the figure. */
const SHOWN_BY = {
  outstanding: 'GET /api/invoices/admin/all',
  to_pay_out: 'GET /api/super-admin/communities/{id}/pending-distributions',
  paid_out: 'GET /api/sweep-operations/summary',
  failed_or_stuck: 'POST /api/sweep-operations/retry',
  not_delivered: 'GET /api/messages',
} as const satisfies Record<FigureName, keyof typeof calls>;

export const figureEntry = (name: FigureName): Entry => calls[SHOWN_BY[name]];

const measured = {
  /** USDT; null: the figure has none. */
  amount: decimalString.nullable(),
  count: z.int().min(0),
};

const figure = z
  .object({
    name: z.enum(FIGURE_NAMES),
    ...measured,
    /** How many the count is spread over: communities of what is to be paid out, people of what was not delivered. */
    subjects: z.int().min(0).nullable(),
    /** What of it is overdue, or failed. */
    part: z.object(measured).nullable(),
    /**
     * Its days (UTC), oldest first: today as it is now, earlier days as they were last noted. A day on which nothing was
     * noted is missing; of what is added up by day, one without any is.
     */
    days: z.array(z.object({ day, ...measured })),
  })
  .meta({ id: 'OverviewFigure' });
export type OverviewFigure = z.infer<typeof figure>;

export const overviewCalls = entries({
  'GET /api/overview/today': {
    summary: 'What the system did today (UTC): invoices of runs, deposits, payouts, ends of harvest cycles',
    permission: 'super',
    recentAuth: false,
    answer: ok(
      z.array(
        z.object({
          name: z.enum(DAY_FACTS),
          count: z.int().min(0),
          /** USDT; null: it has none. */
          amount: decimalString.nullable(),
        }),
      ),
    ),
    errors: [],
  },
  'GET /api/overview': {
    summary: 'The figures of money and messages in scope, as they are now, with their last days',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    answer: ok(z.array(figure)),
    errors: [],
  },
});
