import { exactUsdt } from '../../../lib/payout-words.ts';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import type { HarvestProgress } from '../pools-queries.ts';
import { EVENT_WORDS, EVIDENCE_WORDS } from './progress-words.ts';

type Event = HarvestProgress['events'][number];

/** Every event of the cycle with its evidence, newest first. */
export function Timeline({ events }: { events: readonly Event[] }) {
  if (events.length === 0)
    return <p className="border-t border-line pt-2 pb-2 text-xs text-muted">No event in this cycle yet</p>;
  return (
    <section aria-label="Timeline" className="border-t border-line py-2">
      <ol className="max-h-80 space-y-2 overflow-y-auto">
        {events.map((event) => (
          <li key={event.id} className="flex justify-between gap-3">
            <div className="min-w-0">
              <p>{EVENT_WORDS[event.event]}</p>
              <p className="text-xs text-pretty text-muted tabular-nums">{evidenceWords(event)}</p>
            </div>
            <p className="shrink-0 text-right text-xs text-muted">
              <time dateTime={event.at} title={fullTime(event.at)} className="block tabular-nums">
                {readTime(event.at)}
              </time>
              {event.actor}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const AMOUNTS: ReadonlySet<string> = new Set(['balance', 'returned', 'result', 'funding', 'credited']);

/** The facts that an operator reads; the others are in the audit trail. */
function evidenceWords({ evidence }: Event): string {
  return Object.entries(EVIDENCE_WORDS)
    .flatMap(([name, label]) => {
      const value = evidence[name];
      if (value === undefined || value === null) return [];
      const isAmount = AMOUNTS.has(name) && typeof value === 'string';
      return [`${label} ${isAmount ? exactUsdt(value) : String(value).replaceAll('_', ' ')}`];
    })
    .join(' · ');
}
