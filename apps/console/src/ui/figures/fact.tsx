import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

const LOOKS = {
  plain: '',
  /** In a dialog. */
  boxed: 'rounded-md border border-line px-3',
  /** Beside something else: without lines. */
  small: 'text-xs [&>div]:min-h-0 [&>div]:border-t-0 [&>div]:py-0.5',
} as const;

/** A list of facts. */
export function Facts({
  look = 'plain',
  className,
  ...rest
}: ComponentProps<'dl'> & { look?: keyof typeof LOOKS }) {
  return <dl className={clsx('tabular-nums', LOOKS[look], className)} {...rest} />;
}

interface FactProps {
  label: ReactNode;
  /** At the foot of the others. */
  isTotal?: boolean;
  children: ReactNode;
}

/** One row of facts. Label and value may be names of any length and in any script: the label takes three fifths at most. */
export function Fact({ label, isTotal = false, children }: FactProps) {
  return (
    <div
      className={clsx(
        'flex min-h-8 items-center justify-between gap-4 border-t py-1.5 first:border-t-0',
        isTotal ? 'border-line-strong font-semibold' : 'border-line',
      )}
    >
      <dt className={clsx('max-w-3/5 shrink-0 wrap-anywhere', !isTotal && 'text-muted')}>{label}</dt>
      <dd className="min-w-0 text-end text-pretty wrap-anywhere">{children}</dd>
    </div>
  );
}

const SIZES = {
  small: '',
  medium: 'text-base font-semibold',
  large: 'text-2xl leading-8 font-semibold tracking-tight',
};

interface StackedFactProps extends Pick<FactProps, 'label' | 'children'> {
  size?: keyof typeof SIZES;
  /** Below the value. */
  note?: ReactNode;
}

/** One of several facts beside each other: the label above its value. */
export function StackedFact({ label, size = 'small', note, children }: StackedFactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className={clsx('wrap-anywhere tabular-nums', SIZES[size])}>{children}</dd>
      {note && <dd className="text-xs text-muted tabular-nums">{note}</dd>}
    </div>
  );
}
