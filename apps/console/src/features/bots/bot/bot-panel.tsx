import { useQueryClient } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { BOT_PROBLEMS } from '../../../lib/format/bot-problem-texts.ts';
import { languageName, languageOptions } from '../../../lib/format/language-name.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Bot, botKeys, communityBotQuery } from '../bot-queries.ts';
import { BotBadges } from './bot-badges.tsx';
import { READING_PROBLEMS } from './reading-texts.ts';
import { ReplaceTokenDialog } from './replace-token-dialog.tsx';
import { SwitchBotDialog } from './switch-bot-dialog.tsx';

/** The bot itself: its name at Telegram, its token, its state. */
export function BotPanel({ bot }: { bot: Bot }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<'token' | 'language' | 'switch' | null>(null);
  const close = () => setAsked(null);
  const check = useAct({
    send: () => call('POST /api/exchange-bot/{id}/check', { params: { id: bot.id } }),
    done: ({ data }) => {
      client.setQueryData(communityBotQuery(bot.community_id).queryKey, data);
      return data.problem
        ? { tone: 'negative', title: 'The bot does not work', text: BOT_PROBLEMS[data.problem].label }
        : { title: 'The bot works', text: `@${data.username}` };
    },
    reads: botKeys.all,
    onDone: () => {},
  });
  const checked = bot.problem && BOT_PROBLEMS[bot.problem];
  // A bot that is off is not read, and the worker meets the same problem as a check.
  const problem =
    bot.is_active && bot.reading_problem ? READING_PROBLEMS[bot.reading_problem] : checked || null;
  return (
    <Panel
      title="Bot"
      actions={
        <Button className="h-7!" aria-disabled={check.isBusy} onClick={check.onConfirm}>
          {check.isBusy ? 'Checking...' : 'Check'}
        </Button>
      }
    >
      {check.error && (
        <div className="pb-2">
          <ErrorLine message={check.error} onRetry={check.onConfirm} />
        </div>
      )}
      {problem && (
        <div className="pb-2">
          <Notice tone="negative" icon={TriangleAlert} isBox title={problem.label}>
            {problem.text}
          </Notice>
        </div>
      )}
      <Facts>
        <Fact label="Name">{bot.name}</Fact>
        <Fact label="Username">
          <span className="break-all">@{bot.username}</span>
        </Fact>
        <Fact label="State">
          <span className="flex items-center justify-end gap-2">
            <BotBadges bot={bot} />
            <Button className="h-7!" onClick={() => setAsked('switch')}>
              {bot.is_active ? 'Switch off' : 'Switch on'}
            </Button>
          </span>
        </Fact>
        <Fact label="Language">
          <span className="flex items-center justify-end gap-1">
            {languageName(bot.language)}
            <button
              type="button"
              aria-label="Change the language"
              className="-me-1 inline-flex size-7 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
              onClick={() => setAsked('language')}
            >
              <Pencil className="size-3.5" aria-hidden="true" />
            </button>
          </span>
        </Fact>
        <Fact label="Token">
          <span className="flex items-center justify-end gap-2">
            <span className="text-muted">Stored encrypted</span>
            <Button className="h-7!" onClick={() => setAsked('token')}>
              Replace
            </Button>
          </span>
        </Fact>
        <Fact label="Last read">
          {bot.read_at ? <When at={bot.read_at} /> : <span className="text-muted">Not yet</span>}
        </Fact>
        <Fact label="Last check">
          <When at={bot.checked_at} />
        </Fact>
      </Facts>
      {asked === 'token' && <ReplaceTokenDialog bot={bot} onClose={close} />}
      {asked === 'language' && <BotLanguageDialog bot={bot} onClose={close} />}
      {asked === 'switch' && <SwitchBotDialog bot={bot} onClose={close} />}
    </Panel>
  );
}

function BotLanguageDialog({ bot, onClose }: { bot: Bot; onClose(): void }) {
  const form = useDialogForm({
    values: { language: bot.language },
    send: ({ language }) =>
      call('PATCH /api/exchange-bot/{id}', { params: { id: bot.id }, body: { language } }),
    done: ({ data }) => ({ title: 'Language changed', text: languageName(data.language) }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Language of @${bot.username}`}
      text="Used for people whose own language the bot does not support."
      confirm="Save"
      busy="Saving..."
      onClose={onClose}
    >
      <SelectField label="Language" name="language" options={languageOptions()} />
    </FormDialog>
  );
}
