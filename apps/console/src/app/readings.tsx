import { clsx } from 'clsx';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useReducer } from 'react';
import { readTime } from '../lib/format/read-time.ts';
import { clockTime, zoneName } from '../lib/format/zone-time.ts';
import type { Reading } from '../lib/live/freshness.ts';
import { groupReadings, type ReadingGroup } from '../lib/live/old-readings.ts';
import { InfoTip } from '../ui/feedback/info-tip.tsx';

/** From when the parts of a screen are: the oldest of them, and all when it is pointed at. Loaded on demand. */
export default function Readings({ all }: { all: readonly Reading[] }) {
  useEveryMinute();
  const groups = groupReadings(all);
  const old = groups.find(({ isOld }) => isOld);
  const shown = old ?? groups[0];
  if (!shown) return null;
  const text = old
    ? `${old.what} not read since ${timeWords(old)}`
    : `${all.length > 1 ? 'Oldest reading' : shown.what} as of ${timeWords(shown)}`;
  return (
    <InfoTip
      about={text}
      text={<ReadingList groups={groups} />}
      className={clsx(
        '-ms-1 inline-flex min-h-6 min-w-0 items-center gap-1 rounded px-1',
        old ? 'text-caution' : 'hover:text-ink',
      )}
    >
      {old && <TriangleAlert className="size-3 shrink-0" aria-hidden="true" />}
      <span className="truncate tabular-nums">{text}</span>
    </InfoTip>
  );
}

/** Our own figures are of today, so the time to the second is enough: `14:02:05`. */
const timeWords = ({ at, isOutside }: ReadingGroup) =>
  isOutside ? readTime(at) : clockTime(at).slice(0, -zoneName(at).length).trim();

function ReadingList({ groups }: { groups: readonly ReadingGroup[] }) {
  return (
    <ul className="grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5 tabular-nums">
      {groups.map((group) => (
        <li key={group.what} className="col-span-2 grid grid-cols-subgrid">
          <span>
            {group.what}
            {group.count > 1 && <span className="text-muted">, the oldest of {group.count}</span>}
          </span>
          <span className={clsx('text-end', group.isOld && 'text-caution')}>
            {group.isOld && 'not read since '}
            {timeWords(group)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Renders every minute: an outside reading ages while it is on screen. */
function useEveryMinute(): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(again, 60_000);
    return () => clearInterval(timer);
  }, []);
}
