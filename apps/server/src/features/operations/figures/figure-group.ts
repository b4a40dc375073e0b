import type { RawBuilder } from 'kysely';

/** Figures that one statement reads. */
export interface FigureGroup {
  /** Columns that tell the rows apart: codes of ours, so that they have few values, and nothing about a person. */
  labels: readonly string[];
  /** Columns with a number, by the name of the metric; null in a row has no sample. */
  metrics: Readonly<Record<string, { name: `copydesk_${string}`; help: string }>>;
  statement: () => RawBuilder<Record<string, string | number | null>>;
}
