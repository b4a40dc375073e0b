import { When } from '../../../ui/figures/when.tsx';
import type { HarvestProgress } from '../pools-queries.ts';
import { EVENT_WORDS, evidenceWords } from './progress-texts.ts';

/** Every event of the cycle with what it changed, newest first. */
export function Timeline({ events }: { events: HarvestProgress['events'] }) {
  if (events.length === 0)
    return <p className="border-t border-line pt-2 pb-2 text-xs text-muted">No event in this cycle yet</p>;
  return (
    <section aria-label="Timeline" className="border-t border-line py-2">
      <ol className="max-h-80 space-y-2 overflow-y-auto">
        {events.map((event, nth) => {
          const words = evidenceWords(event, events.slice(nth + 1));
          return (
            <li key={event.id} className="flex justify-between gap-3">
              <div className="min-w-0">
                <p>{EVENT_WORDS[event.event]}</p>
                {words && <p className="text-xs text-pretty text-muted tabular-nums">{words}</p>}
              </div>
              <p className="shrink-0 text-end text-xs text-muted">
                <When at={event.at} className="block" />
                {event.actor}
              </p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
