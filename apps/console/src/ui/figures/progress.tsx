import { clsx } from 'clsx';

interface ProgressProps {
  label: string;
  value: number;
  max: number;
  /** Its height, width and margins. */
  className: string;
}

/** How far something is. */
export const Progress = ({ label, value, max, className }: ProgressProps) => (
  <progress
    aria-label={label}
    value={Math.min(value, max)}
    max={max}
    className={clsx(
      'block appearance-none overflow-hidden rounded-full bg-subtle [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-subtle [&::-webkit-progress-value]:bg-accent',
      className,
    )}
  />
);
