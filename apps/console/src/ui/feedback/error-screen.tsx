import ArrowLeft from 'lucide-react/icons/arrow-left';
import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Button } from '../forms/button.tsx';

export function ErrorScreen({ error }: { error: unknown }) {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return (
    <main className="flex min-h-full items-center justify-center p-6">
      <div role="alert" className="w-full max-w-lg rounded-lg border border-line bg-surface p-6">
        <TriangleAlert className="mb-3 size-6 text-negative" aria-hidden="true" />
        <h1 className="text-base font-semibold">Something went wrong</h1>
        <p className="mt-1 text-muted">
          An unexpected error occurred. Please try refreshing the page or go back to the previous page.
        </p>
        <details className="mt-4">
          <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">
            Show error details
          </summary>
          <pre className="mt-2 max-h-48 overflow-auto rounded-md bg-subtle p-3 font-mono text-xs whitespace-pre-wrap">
            {detail}
          </pre>
        </details>
        <div className="mt-5 flex flex-wrap gap-2">
          <Button look="primary" onClick={() => window.location.reload()}>
            <RotateCw className="size-4" aria-hidden="true" />
            Refresh Page
          </Button>
          <Button onClick={() => window.history.back()}>
            <ArrowLeft className="size-4" aria-hidden="true" />
            Go Back
          </Button>
        </div>
      </div>
    </main>
  );
}
