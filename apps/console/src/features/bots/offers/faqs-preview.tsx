import type { Language } from '@copydesk/domain/catalogue';
import { fillTemplate } from '@copydesk/domain/exchange-bot';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { type BotText, type Faq, textsQuery } from '../bot-queries.ts';

interface FaqsPreviewProps {
  botId: string;
  language: Language;
  /** Those of the language, in their order. */
  faqs: readonly Faq[];
}

/** The questions as people see them in Telegram: a message with buttons, and the answer to the one that is pressed. */
export function FaqsPreview({ botId, language, faqs }: FaqsPreviewProps) {
  const { data: texts, error, refetch } = useQuery(textsQuery(botId, language));
  const [pressedId, setPressed] = useState<string | null>(null);
  const pressed = faqs.find(({ id }) => id === pressedId);
  const say = (key: BotText['key']) => texts?.find((text) => text.key === key)?.text ?? '';
  if (error && !texts)
    return (
      <div className="border-t border-line px-4 py-3">
        <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
      </div>
    );
  return (
    <section aria-label="Preview" className="border-t border-line bg-subtle px-4 py-3">
      <p className="mb-2 text-xs text-muted">Preview: press a question to see its answer.</p>
      {!texts ? (
        <span aria-hidden="true" className="skeleton block h-24 w-full max-w-sm" />
      ) : (
        <div
          lang={language}
          dir={language === 'ar' ? 'rtl' : 'ltr'}
          aria-live="polite"
          className="max-w-sm space-y-2"
        >
          <Bubble text={say('questions')}>
            {faqs.map((faq) => (
              <button
                key={faq.id}
                type="button"
                aria-pressed={faq.id === pressedId}
                onClick={() => setPressed(faq.id === pressedId ? null : faq.id)}
                className="min-h-8 w-full rounded-md border border-control bg-surface px-3 py-1.5 text-center break-words hover:bg-subtle aria-pressed:border-accent"
              >
                {faq.question}
              </button>
            ))}
            <Label text={say('button_menu')} />
          </Bubble>
          {pressed && (
            <Bubble
              text={fillTemplate(say('answer'), { question: pressed.question, answer: pressed.answer })}
            >
              <div className="grid grid-cols-2 gap-1">
                <Label text={say('button_questions')} />
                <Label text={say('button_menu')} />
              </div>
            </Bubble>
          )}
        </div>
      )}
    </section>
  );
}

/** A message of the bot, with its buttons below. */
function Bubble({ text, children }: { text: string; children?: React.ReactNode }) {
  return (
    <div className="space-y-1">
      <p className="rounded-lg border border-line bg-surface px-3 py-2 break-words whitespace-pre-wrap">
        {text}
      </p>
      {children}
    </div>
  );
}

/** A button that leads out of the preview. */
function Label({ text }: { text: string }) {
  return (
    <span className="block rounded-md border border-line bg-surface px-3 py-1.5 text-center break-words text-muted">
      {text}
    </span>
  );
}
