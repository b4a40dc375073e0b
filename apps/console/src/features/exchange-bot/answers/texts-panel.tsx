import type { BotTextKey, Language } from '@copydesk/domain';
import { useQuery } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import { useState } from 'react';
import { messageOf } from '../../../lib/api-error.ts';
import { languageName, languageOptions } from '../../../lib/language-name.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type BotText, textsQuery } from '../bot-queries.ts';
import { TextDialog } from './text-dialog.tsx';
import { TEXT_GROUPS } from './text-words.ts';

const SELECT = 'h-7 rounded-md border border-control bg-surface px-2 text-xs';

interface TextsPanelProps {
  botId: string;
  /** The language that is shown first. */
  language: Language;
}

/** What the bot says, one group and language at a time. */
export function TextsPanel({ botId, language: first }: TextsPanelProps) {
  const [language, setLanguage] = useState(first);
  const [groupName, setGroupName] = useState(TEXT_GROUPS[0]?.label ?? '');
  const [edited, setEdited] = useState<{ text: BotText; name: string } | null>(null);
  const { data, error, refetch } = useQuery(textsQuery(botId, language));
  const group = TEXT_GROUPS.find(({ label }) => label === groupName);
  const rows = Object.entries(group?.texts ?? {}).flatMap(([key, name]) => {
    const text = data?.find((one) => one.key === (key as BotTextKey));
    return text ? [{ text, name }] : [];
  });
  return (
    <Panel
      title="Texts"
      flush
      actions={
        <>
          <select
            aria-label="Group of texts"
            className={SELECT}
            value={groupName}
            onChange={({ target }) => setGroupName(target.value)}
          >
            {TEXT_GROUPS.map(({ label }) => (
              <option key={label}>{label}</option>
            ))}
          </select>
          <select
            aria-label="Language of the texts"
            className={SELECT}
            value={language}
            onChange={({ target }) => setLanguage(target.value as Language)}
          >
            {languageOptions().map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </>
      }
    >
      <QueryState
        small
        error={error && !data ? { title: 'The texts could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading texts..." />}
        isEmpty={false}
        empty={null}
      >
        <ul aria-label={`${groupName} in ${languageName(language)}`}>
          {rows.map(({ text, name }) => (
            <li
              key={text.key}
              className="flex items-start gap-3 border-t border-line px-4 py-3 first:border-t-0"
            >
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {name}
                  {text.text !== null && <Badge tone="neutral">Own text</Badge>}
                </p>
                <p
                  dir="auto"
                  className="mt-0.5 line-clamp-3 text-xs whitespace-pre-wrap break-words text-muted"
                >
                  {text.text ?? text.default_text}
                </p>
              </div>
              <button
                type="button"
                aria-label={`Edit the text: ${name}`}
                className="inline-flex size-7 shrink-0 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
                onClick={() => setEdited({ text, name })}
              >
                <Pencil className="size-3.5" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      </QueryState>
      {edited && <TextDialog botId={botId} language={language} {...edited} onClose={() => setEdited(null)} />}
    </Panel>
  );
}
