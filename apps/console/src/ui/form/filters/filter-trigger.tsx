import { clsx } from 'clsx';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ReactNode, Suspense, useState } from 'react';
import { Button } from '../button.tsx';

interface FilterTriggerProps {
  label: string;
  /** The value in force, in words. */
  value: string | undefined;
  /** Loads what opens. */
  load(): Promise<unknown>;
  /** What opens, around its trigger. It starts open, because it is loaded on first use. */
  children(trigger: ReactNode): ReactNode;
}

/** The button of a filter. What it opens is loaded shortly before it opens. */
export function FilterTrigger({ label, value, load, children }: FilterTriggerProps) {
  const [wanted, setWanted] = useState(false);
  const isSet = value !== undefined;
  const trigger = (
    <Button
      aria-haspopup="dialog"
      aria-label={isSet ? `${label}: ${value}` : label}
      className={clsx('max-sm:gap-1 max-sm:px-2.5', isSet && 'border-accent! text-accent!')}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
    >
      {label}
      <ChevronDown className="size-3.5 opacity-70" aria-hidden="true" />
    </Button>
  );
  if (!wanted) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the control
      // biome-ignore lint/a11y/useKeyWithClickEvents: a button's key press arrives as a click
      <span onClick={() => setWanted(true)}>{trigger}</span>
    );
  }
  return <Suspense fallback={trigger}>{children(trigger)}</Suspense>;
}
