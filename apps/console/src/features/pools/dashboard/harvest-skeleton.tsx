import { FigureCard } from '../../../ui/figures/figure-card.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { STATUS, TILE, TILES } from './harvest-tiles.ts';

const LABELS = [
  'Active Pools',
  'Total Traders',
  'Total Proxy Balance',
  'Total Bybit Balance',
  'Total Virtual Balance',
  'Pending BSC Deposits',
];

/** The control while the pools load. Announces nothing: the screen has the text. */
export function HarvestSkeleton() {
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
        <dl className={TILES}>
          {LABELS.map((label) => (
            <FigureCard key={label} label={label} className={TILE}>
              {undefined}
            </FigureCard>
          ))}
        </dl>
      </div>
    </Panel>
  );
}
