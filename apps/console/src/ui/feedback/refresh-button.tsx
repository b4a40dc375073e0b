import { clsx } from 'clsx';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { Button } from '../form/button.tsx';

interface RefreshButtonProps {
  label: string;
  /** Shown instead of the bare icon. */
  text?: string;
  isBusy: boolean;
  onClick(): void;
}

/** Reads figures again. Ignores presses while it does. */
export function RefreshButton({ label, text, isBusy, onClick }: RefreshButtonProps) {
  return (
    <Button
      square={!text}
      className="h-7!"
      aria-label={label}
      title={label}
      aria-disabled={isBusy}
      onClick={isBusy ? undefined : onClick}
    >
      <RotateCw className={clsx('size-3.5', isBusy && 'animate-spin')} aria-hidden="true" />
      {text}
    </Button>
  );
}
