import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/form/button.tsx';
import type { PooledAccount } from '../pools-queries.ts';
import type { NamedCommunity } from './connect-pool-dialog.tsx';

const ConnectPoolDialog = lazy(async () => ({
  default: (await import('./connect-pool-dialog.tsx')).ConnectPoolDialog,
}));

interface ConnectPoolButtonProps {
  communities: readonly NamedCommunity[];
  /** Those of the communities; the others can get one. */
  pools: readonly PooledAccount[];
  /** False: only steps that are under way are shown. */
  isOffered?: boolean;
}

/** Opens the steps that connect a pool. For super admins. */
export function ConnectPoolButton({ communities, pools, isOffered = true }: ConnectPoolButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const taken = new Set(pools.map(({ community }) => community.id));
  return (
    <>
      {isOffered && (
        <Button className="h-8!" onClick={() => setOpen(true)}>
          Connect pool
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <ConnectPoolDialog
            communities={communities.filter(({ id, is_archived }) => !is_archived && !taken.has(id))}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
