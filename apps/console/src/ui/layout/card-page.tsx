import type { ReactNode, Ref } from 'react';
import { ThemeToggle } from './theme-toggle.tsx';
import { Wordmark } from './wordmark.tsx';

interface CardPageProps {
  children: ReactNode;
  /** Below the card. */
  below?: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** A page with one card, for visitors who are not signed in. */
export function CardPage({ children, below, ref }: CardPageProps) {
  return (
    <main className="flex min-h-full items-center justify-center px-4 py-8">
      <div className="w-full max-w-sm">
        <div className="mb-4 flex items-center justify-between">
          <Wordmark />
          <ThemeToggle />
        </div>
        <div ref={ref} className="rounded-xl border border-line bg-surface p-6">
          {children}
        </div>
        {below}
      </div>
    </main>
  );
}
