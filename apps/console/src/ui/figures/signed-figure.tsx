import { clsx } from 'clsx';

/** A gain or a loss. The text carries the sign; the colour only repeats it. */
export function SignedFigure({ text, sign }: { text: string; sign: -1 | 0 | 1 }) {
  return (
    <span
      className={clsx(
        'whitespace-nowrap tabular-nums',
        sign > 0 && 'text-positive',
        sign < 0 && 'text-negative',
      )}
    >
      {text}
    </span>
  );
}
