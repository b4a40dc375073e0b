import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';
import { Button } from '../form/button.tsx';

interface OnDemandButtonProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  /** What the button shows. */
  face: ReactNode;
  /** Loads what opens. */
  load(): Promise<unknown>;
  /** What opens, around its trigger. It starts open, because it is loaded on first use. */
  children(trigger: ReactNode): ReactNode;
}

/** A button that opens something, which is loaded shortly before. */
export function OnDemandButton({ face, load, children, ...button }: OnDemandButtonProps) {
  const [wanted, setWanted] = useState(false);
  const trigger = (
    <Button aria-haspopup="dialog" onPointerEnter={() => void load()} onFocus={() => void load()} {...button}>
      {face}
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
