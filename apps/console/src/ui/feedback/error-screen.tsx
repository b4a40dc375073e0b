import ArrowLeft from 'lucide-react/icons/arrow-left';
import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import WifiOff from 'lucide-react/icons/wifi-off';
import { type ReactNode, useEffect } from 'react';
import { Button } from '../form/button.tsx';

/** What was opened is not loaded yet, and there is no connection to load it. */
export class OfflineError extends Error {
  constructor() {
    super('there is no connection');
    this.name = 'OfflineError';
  }
}

export function ErrorScreen({ error }: { error: unknown }) {
  if (error instanceof OfflineError) return <Offline />;
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return (
    <Problem
      icon={<TriangleAlert className="mb-3 size-6 text-negative" aria-hidden="true" />}
      title="Something went wrong"
      text="An unexpected error occurred. Please try refreshing the page or go back to the previous page."
      again="Refresh Page"
      onAgain={() => window.location.reload()}
    >
      <details className="mt-4">
        <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">
          Show error details
        </summary>
        <pre className="mt-2 max-h-48 overflow-auto rounded-md bg-subtle p-3 font-mono text-sm whitespace-pre-wrap">
          {detail}
        </pre>
      </details>
    </Problem>
  );
}

const loadAgain = () => {
  // Without a connection the browser would show its own page instead of this one.
  if (navigator.onLine) window.location.reload();
};

function Offline() {
  useEffect(() => {
    window.addEventListener('online', loadAgain);
    return () => window.removeEventListener('online', loadAgain);
  }, []);
  return (
    <Problem
      icon={<WifiOff className="mb-3 size-6 text-caution" aria-hidden="true" />}
      title="You are offline"
      text="This page has not been loaded yet. It opens automatically once the connection is back."
      again="Try Again"
      onAgain={loadAgain}
    />
  );
}

interface ProblemProps {
  icon: ReactNode;
  title: string;
  text: string;
  again: string;
  onAgain(): void;
  children?: ReactNode;
}

function Problem({ icon, title, text, again, onAgain, children }: ProblemProps) {
  return (
    <main className="flex min-h-full items-center justify-center p-6">
      <div role="alert" className="w-full max-w-lg rounded-lg border border-line bg-surface p-6">
        {icon}
        <h1 className="text-base font-semibold">{title}</h1>
        <p className="mt-1 text-muted">{text}</p>
        {children}
        <div className="mt-5 flex flex-wrap gap-2">
          <Button look="primary" onClick={onAgain}>
            <RotateCw className="size-4" aria-hidden="true" />
            {again}
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
