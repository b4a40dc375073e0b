import type { Language } from '@copydesk/domain/catalogue';
import { call } from '../../../lib/api/api.ts';
import { languageName } from '../../../lib/format/language-name.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useEditForm } from '../../../ui/form/use-dialog-form.ts';
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
  const form = useEditForm({
    record: faq ?? NEW,
    valuesOf: ({ question, answer }) => ({ question, answer }),
    findErrors: ({ question, answer }) =>
      question.trim() === '' || answer.trim() === '' ? { form: 'Enter a question and its answer' } : null,
    changesOf: ({ question, answer }, seen) => ({
      ...(question.trim() !== seen.question && { question: question.trim() }),
      ...(answer.trim() !== seen.answer && { answer: answer.trim() }),
    }),
    send: (changes) =>
      faq
        ? call('PATCH /api/exchange-bot/custom-faqs/{id}', { params: { id: faq.id }, body: changes })
        : call('POST /api/exchange-bot/{id}/custom-faqs', {
            params: { id: botId },
            body: { language, question: changes.question ?? '', answer: changes.answer ?? '' },
          }),
    done: ({ data }) => ({ title: faq ? 'Question changed' : 'Question added', text: data.question }),
    reads: botKeys.all,
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={faq ? 'Edit question' : 'New question'}
      text={`In ${languageName(language)}. The bot sends the answer as it is written here, without formatting.`}
      confirm={faq ? 'Save' : 'Add question'}
      busy="Saving..."
      onClose={onClose}
    >
      <TextField label="Question" name="question" dir="auto" maxLength={200} autoComplete="off" autoFocus />
      <TextField label="Answer" name="answer" dir="auto" rows={6} maxLength={LONGEST_ANSWER} />
    </FormDialog>
  );
}
