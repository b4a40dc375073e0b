import { clsx } from 'clsx';

/** What else is known of something, below it. */
export function NoteBelow({ text, isWarning }: { text: string; isWarning: boolean }) {
  return <span className={clsx('block text-xs', isWarning ? 'text-caution' : 'text-muted')}>{text}</span>;
}
