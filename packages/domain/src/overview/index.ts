interface FigureShape {
  /** Whether it has amounts, or counts alone. */
  hasAmount: boolean;
  /** Whether some of it is apart: overdue, failed. */
  hasPart: boolean;
  /** Whether it says over how many it is spread: communities, people. */
  hasSubjects: boolean;
  /** Whether its days are added up; the others are noted at the end of each. */
  isFlow: boolean;
}

/** The figures of the overview, in their order. */
export const FIGURES = {
  /** What traders owe of the invoices that they are asked to pay; of it overdue. */
  outstanding: { hasAmount: true, hasPart: true, hasSubjects: false, isFlow: false },
  /** Shares of paid invoices that are in no payout yet, by community. */
  to_pay_out: { hasAmount: true, hasPart: false, hasSubjects: true, isFlow: false },
  /** Payouts that were ordered this month (UTC) and have arrived. Its days are those on which they were ordered. */
  paid_out: { hasAmount: true, hasPart: false, hasSubjects: false, isFlow: true },
  /** Payouts that failed and were not ordered again, and those that wait longer than one takes; of it failed. */
  failed_or_stuck: { hasAmount: true, hasPart: true, hasSubjects: false, isFlow: false },
  /** Messages that failed since the last that reached the person; by person. */
  not_delivered: { hasAmount: false, hasPart: false, hasSubjects: true, isFlow: false },
} as const satisfies Record<string, FigureShape>;
export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as [FigureName, ...FigureName[]];

/** What the system did today (UTC), in its order: what people did is in the audit. */
export const DAY_FACTS = ['invoices', 'deposits', 'payouts', 'harvests'] as const;
export type DayFact = (typeof DAY_FACTS)[number];

/** Days of a figure's trend, today among them. */
export const FIGURE_DAYS = 30;
/** Days for which the noted figures are kept. */
export const FIGURE_KEPT_DAYS = 400;
