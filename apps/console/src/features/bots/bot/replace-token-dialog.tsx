import { call } from '../../../lib/api/api.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { type Bot, botKeys } from '../bot-queries.ts';
import { BotTokenField } from './bot-token-field.tsx';

/** Replaces the token of a bot, for instance after BotFather has revoked the old one. */
export function ReplaceTokenDialog({ bot, onClose }: { bot: Bot; onClose(): void }) {
  const form = useDialogForm({
    values: { token: '' },
    send: ({ token }) =>
      call('PATCH /api/exchange-bot/{id}', { params: { id: bot.id }, body: { token: token.trim() } }),
    done: ({ data }) => ({ title: 'Token replaced', text: `@${data.username}` }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Replace the token of @${bot.username}`}
      text="The present token is deleted here. A token of another bot connects that bot instead; people who use this one do not follow."
      confirm="Replace token"
      busy="Replacing..."
      onClose={onClose}
    >
      <BotTokenField name="token" />
    </FormDialog>
  );
}
