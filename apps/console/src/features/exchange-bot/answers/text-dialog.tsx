import { fillTemplate, findTextProblem, type Language } from '@copydesk/domain';
import { useId, useState } from 'react';
import { call } from '../../../lib/api.ts';
import { languageName } from '../../../lib/language-name.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { type BotText, botKeys } from '../bot-queries.ts';
import { SAMPLE_VALUES, valuesWords } from './text-words.ts';

interface TextDialogProps {
  botId: string;
  language: Language;
  text: BotText;
  /** When the bot says it. */
  name: string;
  onClose(): void;
}

/** Writes a text of the bot, with a preview. */
export function TextDialog({ botId, language, text, name, onClose }: TextDialogProps) {
  const [typed, setTyped] = useState(text.text ?? text.default_text);
  const [missing, setMissing] = useState<string | null>(null);
  const fieldId = useId();
  const wanted = typed.trim();
  const isDefault = wanted === text.default_text;
  const save = useAct({
    send: () =>
      call('PUT /api/exchange-bot/{id}/texts', {
        params: { id: botId },
        body: { language, key: text.key, text: isDefault ? null : wanted },
      }),
    done: ({ data }) => ({ title: data.text === null ? 'Default text restored' : 'Text saved', text: name }),
    reads: botKeys.all,
    onDone: onClose,
  });
  const problem = findTextProblem(text.key, wanted);
  const confirm = () => {
    setMissing(problem?.code === 'empty' ? 'Enter a text, or restore the default' : null);
    if (problem?.code !== 'empty') save.onConfirm();
  };
  const isButton = text.kind === 'button';
  return (
    <AskDialog
      title={name}
      text={`In ${languageName(language)}, without formatting. ${isButton ? 'The label of a button.' : valuesWords(text)}`}
      confirm="Save"
      busy="Saving..."
      isBusy={save.isBusy}
      error={missing ?? save.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <div>
          <div className="mb-1 flex items-center justify-between">
            <label htmlFor={fieldId} className="font-medium">
              Text
            </label>
            {!isDefault && (
              <Button className="h-7!" onClick={() => setTyped(text.default_text)}>
                Restore Default
              </Button>
            )}
          </div>
          <textarea
            id={fieldId}
            name="text"
            dir="auto"
            rows={isButton ? 1 : 7}
            className="w-full rounded-md border border-control bg-surface px-3 py-2"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <section aria-label="Preview">
          <p className="mb-1 font-medium">Preview</p>
          <p
            dir="auto"
            className="max-h-48 overflow-y-auto rounded-lg bg-subtle px-3 py-2 whitespace-pre-wrap break-words"
          >
            {fillTemplate(typed, SAMPLE_VALUES)}
          </p>
        </section>
      </div>
    </AskDialog>
  );
}
