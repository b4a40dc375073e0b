import { Button } from '../form/button.tsx';

/** An error in a part of the screen that is too narrow for a panel, with the remedy. */
export function ErrorLine({ message, onRetry }: { message: string; onRetry(): void }) {
  return (
    <div role="alert" className="flex items-center justify-between gap-3 text-negative">
      <span className="min-w-0 break-words">{message}</span>
      <Button className="h-7!" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
