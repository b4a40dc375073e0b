import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { BotTokenField } from '../../../ui/forms/bot-token-field.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { platformBotKey } from '../settings-queries.ts';

/** Gives the platform's bot another token. */
export function PlatformTokenDialog({ onClose }: { onClose(): void }) {
  const [token, setToken] = useState('');
  const replace = useAct({
    send: () => call('PUT /api/platform-bot', { body: { token: token.trim() } }),
    done: () => ({ title: 'Token stored', text: 'In use once the worker has taken it over.' }),
    reads: platformBotKey,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Token of the platform's bot"
      text="Telegram is asked for the bot of this token. If it is another bot than before, people have to start it before they receive messages again."
      confirm="Store token"
      busy="Storing..."
      {...replace}
      onClose={onClose}
    >
      <BotTokenField value={token} onChange={setToken} />
    </AskDialog>
  );
}
