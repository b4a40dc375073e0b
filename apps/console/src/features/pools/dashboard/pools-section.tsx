import { PoolsPanel, type PoolsPanelProps } from '../pools-panel.tsx';
import { HarvestPanel } from './harvest-panel.tsx';
import { HarvestSkeleton } from './harvest-skeleton.tsx';

/** The global harvest control and the pools of the Super Admin Dashboard. */
export function PoolsSection(props: PoolsPanelProps) {
  const { pools, error } = props;
  return (
    <>
      {pools === undefined && !error && <HarvestSkeleton />}
      {pools !== undefined && pools.length > 0 && <HarvestPanel pools={pools} isAvailable={!error} />}
      <PoolsPanel {...props} />
    </>
  );
}
