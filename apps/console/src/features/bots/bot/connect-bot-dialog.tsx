import type { Language } from '@copydesk/domain/catalogue';
import { useState } from 'react';
import { languageOptions } from '../../../lib/format/language-name.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { BotTokenField } from '../../../ui/form/bot-token-field.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { botKeys } from '../bot-queries.ts';
import { connectBot } from './connect-bot.ts';

interface ConnectBotDialogProps {
  community: { id: string; name: string };
  onClose(): void;
}

/** Connects a Telegram bot to a community. */
export function ConnectBotDialog({ community, onClose }: ConnectBotDialogProps) {
  const [token, setToken] = useState('');
  const [language, setLanguage] = useState<Language>('en');
  const connect = useAct({
    send: () => connectBot(community.id, token, language),
    done: ({ data }) => ({ title: 'Bot connected', text: `@${data.username} of ${community.name}` }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Connect bot"
      text={`Telegram is asked for the bot of this token. It then belongs to ${community.name} alone.`}
      confirm="Connect bot"
      busy="Connecting..."
      {...connect}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <BotTokenField value={token} onChange={setToken} />
        <SelectField
          label="Language"
          value={language}
          options={languageOptions()}
          onChange={({ target }) => setLanguage(target.value as Language)}
        />
      </div>
    </AskDialog>
  );
}
