/** The lists whose columns and views a person arranges. */
export const LISTS = [
  'traders',
  'invoices',
  'payouts',
  'communities',
  'pools',
  'accounts',
  'messages',
  'bot_messages',
  'people',
  'audit',
  'refusals',
  'closed_positions',
  'sales',
  'subscribers',
] as const;
export type ListName = (typeof LISTS)[number];

/**
 * How a person arranges the columns of a list. Columns that it does not name keep the list's own arrangement.
 */
export interface ListLayout {
  /** Ids of columns, in the person's order. */
  order: readonly string[];
  hidden: readonly string[];
  /** Pixels by id. */
  widths: Readonly<Record<string, number>>;
  /** The columns up to this one stay in view where the table scrolls sideways; null: as the list has it. */
  pinned: string | null;
}

export const AS_IS: ListLayout = { order: [], hidden: [], widths: {}, pinned: null };

/** Narrower, a header cannot be read; wider, a row cannot. */
export const COLUMN_PX = { least: 48, most: 1_200 } as const;

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];
