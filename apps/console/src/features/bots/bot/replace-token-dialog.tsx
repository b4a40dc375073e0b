import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { BotTokenField } from '../../../ui/form/bot-token-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { type Bot, botKeys } from '../bot-queries.ts';

/** Replaces the token of a bot, for instance after BotFather has revoked the old one. */
export function ReplaceTokenDialog({ bot, onClose }: { bot: Bot; onClose(): void }) {
  const [token, setToken] = useState('');
  const replace = useAct({
    send: () =>
      call('PATCH /api/exchange-bot/{id}', { params: { id: bot.id }, body: { token: token.trim() } }),
    done: ({ data }) => ({ title: 'Token replaced', text: `@${data.username}` }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Replace the token of @${bot.username}`}
      text="The present token is deleted here. A token of another bot connects that bot instead; people who use this one do not follow."
      confirm="Replace token"
      busy="Replacing..."
      {...replace}
      onClose={onClose}
    >
      <BotTokenField value={token} onChange={setToken} />
    </AskDialog>
  );
}
