import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ErrorBoundary } from '../ui/feedback/error-boundary.tsx';
import { ToastsOnDemand } from '../ui/feedback/toasts-on-demand.tsx';
import { IdentityGate } from './identity-gate.tsx';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <IdentityGate>
          <RouterProvider router={router} />
        </IdentityGate>
        <ToastsOnDemand />
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
