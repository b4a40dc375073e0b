import { call } from '../../../lib/api/api.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { type Bot, botKeys } from '../bot-queries.ts';

/** Switches a bot on or off. */
export function SwitchBotDialog({ bot, onClose }: { bot: Bot; onClose(): void }) {
  const isOn = !bot.is_active;
  const change = useAct({
    send: () => call('PATCH /api/exchange-bot/{id}', { params: { id: bot.id }, body: { is_active: isOn } }),
    done: () => ({ title: isOn ? 'Bot switched on' : 'Bot switched off', text: `@${bot.username}` }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Switch ${isOn ? 'on' : 'off'} @${bot.username}`}
      text={
        isOn
          ? 'It answers people again, and what they wrote within the last 24 hours.'
          : 'It neither answers nor sells until it is switched on again.'
      }
      confirm={isOn ? 'Switch on' : 'Switch off'}
      busy="Saving..."
      isDanger={!isOn}
      {...change}
      onClose={onClose}
    />
  );
}
