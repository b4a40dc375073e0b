import type { Language } from '@copydesk/domain/catalogue';
import { languageOptions } from '../../../lib/format/language-name.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { botKeys } from '../bot-queries.ts';
import { BotTokenField } from './bot-token-field.tsx';
import { connectBot } from './connect-bot.ts';

interface ConnectBotDialogProps {
  community: { id: string; name: string };
  onClose(): void;
}

/** Connects a Telegram bot to a community. */
export function ConnectBotDialog({ community, onClose }: ConnectBotDialogProps) {
  const form = useDialogForm({
    values: { token: '', language: 'en' as Language },
    send: ({ token, language }) => connectBot(community.id, token, language),
    done: ({ data }) => ({ title: 'Bot connected', text: `@${data.username} of ${community.name}` }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Connect bot"
      text={`Telegram is asked for the bot of this token. It then belongs to ${community.name} alone.`}
      confirm="Connect bot"
      busy="Connecting..."
      onClose={onClose}
    >
      <BotTokenField name="token" />
      <SelectField label="Language" name="language" options={languageOptions()} />
    </FormDialog>
  );
}
