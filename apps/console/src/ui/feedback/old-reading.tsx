import { isOld } from '../../lib/live/old-readings.ts';
import { When } from '../figures/when.tsx';

/** Beside a figure that was read elsewhere: says when it is old or missing. Otherwise the top bar has its time. */
export function OldReading({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="text-xs text-muted">not read yet</span>;
  if (!isOld(at)) return null;
  return (
    <span className="text-xs whitespace-nowrap text-caution">
      not read since <When at={at} />
    </span>
  );
}
