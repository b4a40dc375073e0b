import { useCallback, useState } from 'react';
import { Facts } from '../../../ui/figures/fact.tsx';
import { FigureCard } from '../../../ui/figures/figure-card.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PoolsPanel, type PoolsPanelProps } from '../pools-panel.tsx';
import type { PoolsFilters } from '../pools-search.ts';
import { HarvestPanel } from './harvest-panel.tsx';
import { STATUS, TILE, TILES } from './harvest-tiles.ts';

/** The global harvest control and the pools of the Super Admin Dashboard. */
export function PoolsSection(props: Omit<PoolsPanelProps, 'filters' | 'onChange'>) {
  const [filters, setFilters] = useState<PoolsFilters>({});
  const change = useCallback(
    (changed: PoolsFilters) => setFilters((before) => ({ ...before, ...changed })),
    [],
  );
  const { pools, error } = props;
  return (
    <>
      {pools === undefined && !error && <HarvestSkeleton />}
      {pools !== undefined && pools.length > 0 && <HarvestPanel pools={pools} isAvailable={!error} />}
      <PoolsPanel {...props} filters={filters} onChange={change} />
    </>
  );
}

const LABELS = [
  'Active Pools',
  'Total Traders',
  'Total Proxy Balance',
  'Total Bybit Balance',
  'Total Virtual Balance',
  'Pending BSC Deposits',
];

/** The control while the pools load. Announces nothing: the screen has the text. */
function HarvestSkeleton() {
  return (
    <Panel
      title="Global Harvest Control"
      flush
      note={
        <span className={STATUS}>
          <span className="skeleton h-5 w-24 max-sm:w-72" />
        </span>
      }
    >
      <div aria-hidden="true">
        <Facts className={TILES}>
          {LABELS.map((label) => (
            <FigureCard key={label} label={label} className={TILE}>
              {undefined}
            </FigureCard>
          ))}
        </Facts>
      </div>
    </Panel>
  );
}
