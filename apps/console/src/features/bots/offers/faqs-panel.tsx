import type { Language } from '@copydesk/domain/catalogue';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { languageName, languageOptions } from '../../../lib/format/language-name.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { MenuItem } from '../../../ui/form/menu.tsx';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import { botKeys, type Faq, faqsQuery } from '../bot-queries.ts';
import { DeleteOfferDialog } from './delete-offer-dialog.tsx';
import { FaqDialog } from './faq-dialog.tsx';
import { FaqsPreview } from './faqs-preview.tsx';
import { OffersPanel } from './offers-panel.tsx';

interface FaqsPanelProps {
  botId: string;
  /** The language that is shown first. */
  language: Language;
}

/** The questions that a bot answers, in one language at a time. */
export function FaqsPanel({ botId, language: first }: FaqsPanelProps) {
  const client = useQueryClient();
  const query = useQuery(faqsQuery(botId));
  const { data } = query;
  const [language, setLanguage] = useState(first);
  const [asked, setAsked] = useState<{ what: 'edit' | 'delete'; faq: Faq } | { what: 'new' } | null>(null);
  const close = () => setAsked(null);
  const move = useMutation({
    mutationFn: ({ id, place }: { id: string; place: number }) =>
      call('PATCH /api/exchange-bot/custom-faqs/{id}', { params: { id }, body: { place } }),
    onSettled: readAgain(client, botKeys.all),
  });
  const faqs = data?.filter((faq) => faq.language === language) ?? [];
  return (
    <OffersPanel
      title="Questions"
      query={query}
      isEmpty={faqs.length === 0}
      empty={{
        icon: MessageCircleQuestion,
        title: `No questions in ${languageName(language)}`,
        text: 'People who ask in this language get no answers from the bot.',
      }}
      add="New question"
      onAdd={() => setAsked({ what: 'new' })}
      choice={
        <select
          aria-label="Language of the questions"
          className="h-7 rounded-md border border-control bg-surface px-2 text-xs"
          value={language}
          onChange={({ target }) => setLanguage(target.value as Language)}
        >
          {languageOptions().map(({ value, label }) => (
            <option key={value} value={value}>
              {label} ({formatCount(data?.filter((faq) => faq.language === value).length ?? 0)})
            </option>
          ))}
        </select>
      }
      dialog={
        <>
          {asked?.what === 'new' && (
            <FaqDialog botId={botId} language={language} faq={null} onClose={close} />
          )}
          {asked?.what === 'edit' && (
            <FaqDialog
              botId={botId}
              language={language}
              faq={data?.find(({ id }) => id === asked.faq.id) ?? asked.faq}
              onClose={close}
            />
          )}
          {asked?.what === 'delete' && (
            <DeleteOfferDialog offer="question" id={asked.faq.id} name={asked.faq.question} onClose={close} />
          )}
        </>
      }
    >
      {move.error && (
        <div className="px-4 py-2">
          <ErrorLine message={messageOf(move.error)} onRetry={() => move.reset()} />
        </div>
      )}
      <ol aria-label={`Questions in ${languageName(language)}`}>
        {faqs.map((faq, place) => (
          <li key={faq.id} className="flex items-start gap-3 border-t border-line px-4 py-3 first:border-t-0">
            <div className="min-w-0 flex-1" dir="auto">
              <p className="font-medium break-words">{faq.question}</p>
              <p className="mt-0.5 text-xs whitespace-pre-wrap break-words text-muted">{faq.answer}</p>
            </div>
            <div className="flex shrink-0 items-center">
              {(
                [
                  [ArrowUp, 'up', place - 1, place === 0],
                  [ArrowDown, 'down', place + 1, place === faqs.length - 1],
                ] as const
              ).map(([Icon, way, to, isEnd]) => (
                <button
                  key={way}
                  type="button"
                  aria-label={`Move ${faq.question} ${way}`}
                  disabled={isEnd || move.isPending}
                  className="inline-flex size-7 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink disabled:opacity-40"
                  onClick={() => move.mutate({ id: faq.id, place: to })}
                >
                  <Icon className="size-4" aria-hidden="true" />
                </button>
              ))}
              <RowMenu of={faq.question}>
                <MenuItem icon={Pencil} text="Edit" onSelect={() => setAsked({ what: 'edit', faq })} />
                <MenuItem icon={Trash2} text="Delete" onSelect={() => setAsked({ what: 'delete', faq })} />
              </RowMenu>
            </div>
          </li>
        ))}
      </ol>
      <FaqsPreview key={language} botId={botId} language={language} faqs={faqs} />
    </OffersPanel>
  );
}
