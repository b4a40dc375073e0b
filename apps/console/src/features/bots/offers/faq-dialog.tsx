import type { Language } from '@copydesk/domain/catalogue';
import { useId, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { languageName } from '../../../lib/format/language-name.ts';
import { useSeen } from '../../../lib/use-seen.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { botKeys, type Faq } from '../bot-queries.ts';

const LONGEST_ANSWER = 3_000;

interface FaqDialogProps {
  botId: string;
  language: Language;
  /** null: a new one. */
  faq: Faq | null;
  onClose(): void;
}

const NEW = { question: '', answer: '', version: '' };

/** Adds or changes a question. */
export function FaqDialog({ botId, language, faq, onClose }: FaqDialogProps) {
  const [question, setQuestion] = useState(faq?.question ?? '');
  const [answer, setAnswer] = useState(faq?.answer ?? '');
  const [missing, setMissing] = useState<string | null>(null);
  const { seen, refused } = useSeen(faq ?? NEW, (present) => {
    setQuestion(present.question);
    setAnswer(present.answer);
  });
  const answerId = useId();
  const texts = { question: question.trim(), answer: answer.trim() };
  const changes = {
    ...(texts.question !== seen.question && { question: texts.question }),
    ...(texts.answer !== seen.answer && { answer: texts.answer }),
  };
  const save = useAct({
    send: () =>
      faq
        ? call('PATCH /api/exchange-bot/custom-faqs/{id}', {
            params: { id: faq.id },
            body: { ...changes, version: seen.version },
          })
        : call('POST /api/exchange-bot/{id}/custom-faqs', {
            params: { id: botId },
            body: { language, ...texts },
          }),
    done: ({ data }) => ({ title: faq ? 'Question changed' : 'Question added', text: data.question }),
    reads: botKeys.all,
    onDone: onClose,
    onError: refused,
  });
  const confirm = () => {
    const isComplete = texts.question !== '' && texts.answer !== '';
    setMissing(isComplete ? null : 'Enter a question and its answer');
    if (!isComplete) return;
    if (Object.keys(changes).length > 0) return save.onConfirm();
    toast({ tone: 'neutral', title: 'No changes to save' });
    onClose();
  };
  return (
    <AskDialog
      title={faq ? 'Edit question' : 'New question'}
      text={`In ${languageName(language)}. The bot sends the answer as it is written here, without formatting.`}
      confirm={faq ? 'Save' : 'Add question'}
      busy="Saving..."
      isBusy={save.isBusy}
      error={missing ?? save.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <TextField
          label="Question"
          name="question"
          dir="auto"
          maxLength={200}
          autoComplete="off"
          autoFocus
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
        />
        <div>
          <label htmlFor={answerId} className="mb-1 block font-medium">
            Answer
          </label>
          <textarea
            id={answerId}
            name="answer"
            dir="auto"
            rows={6}
            maxLength={LONGEST_ANSWER}
            className="w-full rounded-md border border-control bg-surface px-3 py-2"
            value={answer}
            onChange={({ target }) => setAnswer(target.value)}
          />
        </div>
      </div>
    </AskDialog>
  );
}
