import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

const LOOKS = {
  primary: 'bg-primary text-on-accent hover:bg-primary-strong font-medium',
  outline: 'border border-line-strong bg-surface text-ink hover:bg-hover font-medium',
  quiet: 'text-muted hover:bg-subtle hover:text-ink',
  danger: 'border border-line-strong bg-surface text-negative hover:bg-negative-soft font-medium',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof LOOKS;
  /** Square, for a lone icon; give it an `aria-label`. */
  square?: boolean;
}

export function Button({
  look = 'outline',
  square = false,
  className,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={clsx(
        'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md whitespace-nowrap',
        'transition-colors disabled:opacity-60 aria-disabled:opacity-60',
        square ? 'w-8' : 'px-3',
        LOOKS[look],
        className,
      )}
      {...rest}
    />
  );
}
