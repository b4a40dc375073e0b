import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** What a change does to one thing: the figures of its parts. */
export interface ChangeRow<Id extends string> {
  name: string;
  before: Readonly<Record<Id, string>> | null;
  /** Null: it cannot be. */
  after: Readonly<Record<Id, string>> | null;
}

interface ChangeTableProps<Id extends string> {
  caption: string;
  parts: readonly { id: Id; label: string }[];
  rows: readonly ChangeRow<Id>[];
  /** In place of figures that cannot be. */
  impossible: string;
  note: ReactNode;
}

function Figure({ before, after }: { before: string | undefined; after: string }) {
  const isChanged = before !== undefined && before !== after;
  return (
    <td className="px-1 py-1.5 text-end align-top">
      <span className={clsx(isChanged && 'font-semibold')}>{after}</span>
      {isChanged && <span className="block text-muted">was {before}</span>}
    </td>
  );
}

type RowProps<Id extends string> = Pick<ChangeTableProps<Id>, 'parts' | 'impossible'> & {
  row: ChangeRow<Id>;
};

function Row<Id extends string>({ row: { name, before, after }, parts, impossible }: RowProps<Id>) {
  return (
    <>
      {/* On a phone the figures need the whole width. */}
      <tr className="border-t border-line sm:hidden">
        <th
          scope="rowgroup"
          colSpan={parts.length}
          className="px-1 pt-1.5 text-start font-medium break-words"
        >
          {name}
        </th>
      </tr>
      <tr className="border-line sm:border-t">
        <th
          scope="row"
          className="max-w-0 truncate py-1.5 pe-1 text-start align-top font-medium max-sm:hidden"
          title={name}
        >
          {name}
        </th>
        {after ? (
          parts.map(({ id }) => <Figure key={id} before={before?.[id]} after={after[id]} />)
        ) : (
          <td colSpan={parts.length} className="py-1.5 ps-1 text-end text-negative">
            {impossible}
          </td>
        )}
      </tr>
    </>
  );
}

/** Previews a change while it is typed: of each thing, its figures after it and those that differ before it. */
export function ChangeTable<Id extends string>(props: ChangeTableProps<Id>) {
  const { caption, parts, rows, impossible, note } = props;
  return (
    <div>
      <table className="w-full table-fixed text-xs tabular-nums">
        <caption className="mb-1 text-start text-sm font-medium">{caption}</caption>
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
            <Row key={row.name} {...{ row, parts, impossible }} />
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-xs text-muted">{note}</p>
    </div>
  );
}
