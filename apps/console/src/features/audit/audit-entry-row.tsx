import { useState } from 'react';
import { When } from '../../ui/figures/when.tsx';
import type { AuditEntry } from './audit-queries.ts';
import type { AuditSearch } from './audit-search.ts';
import { changesOf, detailOf, targetText, verbOf } from './audit-texts.ts';

interface AuditEntryRowProps {
  entry: AuditEntry;
  /** Of providers, by id. */
  names: ReadonlyMap<string, string>;
  onFilter(filters: AuditSearch): void;
}

const LINK = 'rounded font-medium hover:text-accent hover:underline';

/** One entry as a sentence; the raw change is one press away. */
export function AuditEntryRow({ entry, names, onFilter }: AuditEntryRowProps) {
  const [isOpen, setOpen] = useState(false);
  const changes = changesOf(entry, names);
  const detail = changes.length === 0 ? detailOf(entry) : null;
  const target = targetText(entry);
  return (
    <li className="border-t border-line px-4 py-2 first:border-t-0">
      <div className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
        <When at={entry.at} className="text-xs leading-5 text-muted" />
        <p className="min-w-0 break-words">
          <button
            type="button"
            className={LINK}
            title={`Only entries of ${entry.actor_name}`}
            onClick={() => onFilter({ actor: entry.actor_id })}
          >
            {entry.actor_name}
          </button>{' '}
          {verbOf(entry)}
          {target !== '' && (
            <>
              {' '}
              <button
                type="button"
                className={LINK}
                title="Only entries about this"
                onClick={() => onFilter({ targetKind: entry.target_kind, target: entry.target_id })}
              >
                {target}
              </button>
            </>
          )}
          {detail && detail !== target && <span className="text-muted">: {detail}</span>}
          {changes.map(({ label, before, after }) => (
            <span key={label} className="block text-muted">
              {label}: {before} to <span className="text-ink">{after}</span>
            </span>
          ))}
        </p>
        <button
          type="button"
          aria-expanded={isOpen}
          className="justify-self-start rounded text-xs leading-5 text-muted tabular-nums hover:text-ink hover:underline"
          onClick={() => setOpen(!isOpen)}
        >
          #{entry.seq} {isOpen ? 'Hide' : 'Raw'}
        </button>
      </div>
      {isOpen && (
        <pre className="mt-2 rounded-md border border-line bg-subtle p-3 font-mono text-sm break-all whitespace-pre-wrap">
          {JSON.stringify(entry, null, 2)}
        </pre>
      )}
    </li>
  );
}
