import { clsx } from 'clsx';

/** What the chain knows of an address, below it. */
export function ChainNote({ text, isWarning }: { text: string; isWarning: boolean }) {
  return <span className={clsx('block text-xs', isWarning ? 'text-caution' : 'text-muted')}>{text}</span>;
}
