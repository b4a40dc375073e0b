import { fullTime } from '../../lib/format/read-time.ts';
import { When } from '../figures/when.tsx';

/** The time at which the figures beside it were read; of a sum, that of its oldest part. */
export function ReadAt({ at, isOldest = false }: { at: string | null | undefined; isOldest?: boolean }) {
  if (!at) return <span className="text-xs text-muted">not read yet</span>;
  return (
    <span className="text-xs whitespace-nowrap text-muted">
      {isOldest ? 'oldest reading' : 'as of'}{' '}
      <When
        at={at}
        title={isOldest ? `The oldest of its readings: ${fullTime(at)}` : `Read ${fullTime(at)}`}
      />
    </span>
  );
}
