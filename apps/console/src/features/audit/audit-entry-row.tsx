import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import ListFilter from 'lucide-react/icons/list-filter';
import UserSearch from 'lucide-react/icons/user-search';
import { useState } from 'react';
import { When } from '../../ui/figures/when.tsx';
import type { AuditEntry } from './audit-queries.ts';
import type { AuditFilters, AuditSearch } from './audit-search.ts';
import { changesOf, detailOf, objectText, type SettingTexts, targetText } from './audit-texts.ts';
import { EntrySentence } from './entry-sentence.tsx';

interface AuditEntryRowProps {
  entry: AuditEntry;
  /** Of providers, by id. */
  names: ReadonlyMap<string, string>;
  settings: SettingTexts;
  filters: AuditFilters;
  onFilter(filters: AuditSearch): void;
}

const ACT = 'rounded text-muted hover:text-ink hover:underline';

/** One entry as a sentence; the raw change is one press away. */
export function AuditEntryRow({ entry, names, settings, filters, onFilter }: AuditEntryRowProps) {
  const [isOpen, setOpen] = useState(false);
  const changes = changesOf(entry, names, settings);
  const detail = changes.length === 0 ? detailOf(entry, settings) : null;
  const target = targetText(entry, settings);
  const { actor_id: actor, target_kind: targetKind, target_id: targetId } = entry;
  return (
    <li className="group border-t border-line px-4 py-2 first:border-t-0">
      <div className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
        <When at={entry.at} className="text-xs leading-5 text-muted" />
        <p className="min-w-0 break-words">
          <EntrySentence entry={entry} settings={settings} />
          {detail && detail !== target && <span className="text-muted">: {detail}</span>}
          {changes.map(({ label, before, after }) => (
            <span key={label} className="block text-muted">
              {label}: {before} to <span className="text-ink">{after}</span>
            </span>
          ))}
        </p>
        <p className="flex items-start gap-x-2.5 self-start text-xs leading-5">
          {filters.actor !== actor && (
            <Only
              icon={UserSearch}
              word={entry.actor_kind === 'user' ? 'person' : 'program'}
              what={` ${entry.actor_name}`}
              onPress={() => onFilter({ actor })}
            />
          )}
          {filters.target !== targetId && (
            <Only
              icon={ListFilter}
              word="this"
              what={`: ${objectText(entry, settings)}`}
              onPress={() => onFilter({ targetKind, target: targetId })}
            />
          )}
          {!entry.is_sealed && <span className="text-muted">Not sealed yet</span>}
          <button
            type="button"
            aria-expanded={isOpen}
            className={clsx(ACT, 'tabular-nums')}
            onClick={() => setOpen(!isOpen)}
          >
            #{entry.seq} {isOpen ? 'Hide' : 'Raw'}
          </button>
        </p>
      </div>
      {isOpen && (
        <pre className="mt-2 rounded-md border border-line bg-subtle p-3 font-mono text-sm break-all whitespace-pre-wrap">
          {JSON.stringify(entry, null, 2)}
        </pre>
      )}
    </li>
  );
}

interface OnlyProps {
  icon: LucideIcon;
  word: string;
  /** Goes on after the word. */
  what: string;
  onPress(): void;
}

/**
 * Narrows the list to what the entry names. Fifty rows of these would hide the sentences: where there is a pointer, it or
 * the keyboard brings those of one row, as icons that leave the sentence its width.
 */
function Only({ icon: Icon, word, what, onPress }: OnlyProps) {
  return (
    <button
      type="button"
      aria-label={`Only ${word}${what}`}
      title={`Only ${word}${what}`}
      className={clsx(
        ACT,
        'flex h-5 items-center group-focus-within:opacity-100! group-hover:opacity-100! sm:[@media(hover:hover)]:opacity-0',
      )}
      onClick={onPress}
    >
      <Icon className="size-3.5 max-sm:hidden" aria-hidden="true" />
      <span className="sm:hidden">Only {word}</span>
    </button>
  );
}
