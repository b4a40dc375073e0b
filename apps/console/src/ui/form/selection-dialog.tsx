import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { useDebounced } from '../../lib/use-debounced.ts';
import { ErrorLine } from '../feedback/error-line.tsx';
import { Facts } from '../figures/fact.tsx';
import { Checkbox } from './checkbox.tsx';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';
import { TypedCount } from './typed-count.tsx';

/** Several boxes ticked in a row cause one request. */
const SETTLE_MS = 250;

/** The rows of a selection that are left out of an act, with what is known of them: they stay in view. */
export function useLeftOut<Row>(idOf: (row: Row) => string) {
  const [leftOut, setLeftOut] = useState<ReadonlyMap<string, Row>>(new Map());
  const settled = useDebounced(leftOut, SETTLE_MS);
  const toggle = (row: Row) => {
    const next = new Map(leftOut);
    if (!next.delete(idOf(row))) next.set(idOf(row), row);
    setLeftOut(next);
  };
  return { leftOut, settled, isSettled: settled === leftOut, toggle };
}

interface SelectionDialogProps extends Omit<FormDialogProps, 'wide' | 'leave'> {
  /** The preview could not be read. */
  failure: { message: string; onRetry(): void } | null;
  /** Said while the first preview is read. */
  looking: string;
  /** What the act would do, as facts; null while the first preview is read. */
  facts: ReactNode;
  /** Whether the preview is of what is ticked now. */
  isSettled: boolean;
  /** Of a large act: its number is typed. */
  typed: { wanted: number; of: string } | null;
}

/** Shows what an act would do to each row of a selection, and orders it. */
export function SelectionDialog(props: SelectionDialogProps) {
  const { failure, looking, facts, isSettled, typed, isBlocked, children, ...dialog } = props;
  return (
    <FormDialog {...dialog} wide leave="Cancel" isBlocked={!isSettled || isBlocked}>
      {failure ? (
        <ErrorLine {...failure} />
      ) : (
        <>
          {facts ? (
            <Facts aria-busy={!isSettled} className={clsx(!isSettled && 'opacity-55 transition-opacity')}>
              {facts}
            </Facts>
          ) : (
            <p role="status" className="text-muted">
              {looking}
            </p>
          )}
          {children}
          {typed && <TypedCount {...typed} />}
        </>
      )}
    </FormDialog>
  );
}

export const SelectionRows = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y divide-line rounded-md border border-line">{children}</ul>
);

interface SelectionRowProps {
  /** What is included: `Include ada`. */
  label: string;
  isIn: boolean;
  /** It stays as it is, ticked or not. */
  isFixed: boolean;
  onToggle(): void;
  /** At its end: its amount, or why it stays as it is. */
  end: ReactNode;
  children: ReactNode;
}

/** A row of a selection. An unticked one is left out of the facts above. */
export function SelectionRow({ label, isIn, isFixed, onToggle, end, children }: SelectionRowProps) {
  return (
    <li className="flex min-h-9 items-start gap-3 px-3 py-1.5">
      <span className="flex h-5 items-center">
        <Checkbox label={label} checked={isIn} isDisabled={isFixed} onChange={onToggle} />
      </span>
      <span className="min-w-0 flex-1">{children}</span>
      <span className="shrink-0 text-end">{end}</span>
    </li>
  );
}
