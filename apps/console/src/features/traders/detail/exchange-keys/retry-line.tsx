import { Button } from '../../../../ui/form/button.tsx';

/** A failure, its reason, and a retry button. */
export function RetryLine({ text, reason, onRetry }: { text: string; reason: string; onRetry(): void }) {
  return (
    <div role="alert" className="mt-0.5 flex items-start justify-between gap-2 text-xs">
      <p className="min-w-0">
        <span className="font-medium text-negative">{text}</span>
        <span className="block text-muted">{reason}</span>
      </p>
      <Button className="h-6! px-2! text-xs!" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
