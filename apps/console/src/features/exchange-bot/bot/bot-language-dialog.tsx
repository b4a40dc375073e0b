import type { Language } from '@copydesk/domain';
import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { languageName, languageOptions } from '../../../lib/language-name.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { type Bot, botKeys } from '../bot-queries.ts';

export function BotLanguageDialog({ bot, onClose }: { bot: Bot; onClose(): void }) {
  const [language, setLanguage] = useState(bot.language);
  const change = useAct({
    send: () => call('PATCH /api/exchange-bot/{id}', { params: { id: bot.id }, body: { language } }),
    done: ({ data }) => ({ title: 'Language changed', text: languageName(data.language) }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Language of @${bot.username}`}
      text="Used for people whose own language the bot does not support."
      confirm="Save"
      busy="Saving..."
      {...change}
      onClose={onClose}
    >
      <SelectField
        label="Language"
        value={language}
        options={languageOptions()}
        onChange={({ target }) => setLanguage(target.value as Language)}
      />
    </AskDialog>
  );
}
