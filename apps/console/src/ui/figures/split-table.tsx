import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { SampleSplit, SplitRow } from '../../lib/format/sample-split.ts';

const PARTS: readonly { id: keyof SampleSplit; label: string }[] = [
  { id: 'mark', label: 'Mark' },
  { id: 'community', label: 'Community' },
  { id: 'referrer', label: 'Referrer' },
  { id: 'platform', label: 'Platform' },
];

function Part({ before, after }: { before: string | undefined; after: string }) {
  const isChanged = before !== undefined && before !== after;
  return (
    <td className="px-1 py-1.5 text-end align-top">
      <span className={clsx(isChanged && 'font-semibold')}>{after}</span>
      {isChanged && <span className="block text-muted">was {before}</span>}
    </td>
  );
}

function Row({ row, parts }: { row: SplitRow; parts: typeof PARTS }) {
  return (
    <>
      {/* On a phone the figures need the whole width. */}
      <tr className="border-t border-line sm:hidden">
        <th
          scope="rowgroup"
          colSpan={parts.length}
          className="px-1 pt-1.5 text-start font-medium break-words"
        >
          {row.name}
        </th>
      </tr>
      <tr className="border-line sm:border-t">
        <th
          scope="row"
          className="max-w-0 truncate py-1.5 pe-1 text-start align-top font-medium max-sm:hidden"
          title={row.name}
        >
          {row.name}
        </th>
        {row.after ? (
          parts.map(({ id }) => <Part key={id} before={row.before?.[id]} after={row.after?.[id] ?? ''} />)
        ) : (
          <td colSpan={parts.length} className="py-1.5 ps-1 text-end text-negative">
            More than the invoice
          </td>
        )}
      </tr>
    </>
  );
}

interface SplitTableProps {
  rows: readonly SplitRow[];
  hasReferrer: boolean;
  note: ReactNode;
}

/** Previews the split of an invoice of 100 USDT while a share is typed. */
export function SplitTable({ rows, hasReferrer, note }: SplitTableProps) {
  const parts = hasReferrer ? PARTS : PARTS.filter(({ id }) => id !== 'referrer');
  return (
    <div>
      <table className="w-full table-fixed text-xs tabular-nums">
        <caption className="mb-1 text-start text-sm font-medium">Of an invoice of 100 USDT</caption>
        <thead>
          <tr className="text-muted">
            <td className="w-[30%] max-sm:hidden" />
            {parts.map(({ id, label }) => (
              <th key={id} scope="col" className="px-1 pb-1 text-end font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} row={row} parts={parts} />
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-xs text-muted">{note}</p>
    </div>
  );
}
