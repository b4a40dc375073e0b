import { isolatedName } from '@copydesk/domain/text';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { useCallback, useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { When } from '../../ui/figures/when.tsx';
import { AskDialog } from '../../ui/form/ask-dialog.tsx';
import { Button } from '../../ui/form/button.tsx';
import { useAct, useSend } from '../../ui/form/use-act.ts';
import { type Link, type Wishes, wishesQuery } from './attention-mail-query.ts';
import { ConnectDialog } from './connect-dialog.tsx';

type Telegram = Wishes['telegram'];
type Chat = NonNullable<Telegram['chat']>;

/** Why nothing more is sent to the chat; other failures end on their own. */
const GONE: Partial<Record<NonNullable<Chat['problem']>, string>> = {
  blocked: 'the bot was blocked',
  chat_not_found: 'Telegram no longer knows the chat',
};

function problemText(problem: NonNullable<Chat['problem']>, hasMails: boolean): string {
  const why = GONE[problem];
  if (why)
    return `The last message did not arrive: ${why}. ${hasMails ? 'Mails are sent' : 'Nothing is sent'} until you connect it again.`;
  return `The last message did not arrive. ${hasMails ? 'What waits is mailed, and the' : 'The'} next message is sent by Telegram again.`;
}

/** The chat with the platform's bot by which the reader can be told what waits. */
export function TelegramLine({ telegram, hasMails }: { telegram: Telegram; hasMails: boolean }) {
  const { chat } = telegram;
  const [link, setLink] = useState<Link | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const ask = useSend(() => call('POST /api/me/telegram'), {
    done: () => null,
    onDone: ({ data }) => setLink(data),
    onError: (failure) =>
      // The dialog, where it is open, shows why itself.
      link || toast({ tone: 'negative', title: 'Telegram could not be connected', text: messageOf(failure) }),
  });
  const { reset } = ask;
  const close = useCallback(() => {
    setLink(null);
    reset();
  }, [reset]);
  const canConnect = telegram.is_possible && (!chat || chat.problem !== null);
  return (
    <div className="mt-4 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 wrap-anywhere">
          Telegram: <State telegram={telegram} />
        </p>
        {canConnect && (
          <Button aria-disabled={ask.isBusy} onClick={() => ask.run(undefined)}>
            {chat ? 'Connect again' : 'Connect Telegram'}
          </Button>
        )}
        {chat && (
          <Button look="danger" onClick={() => setIsLeaving(true)}>
            Disconnect
          </Button>
        )}
      </div>
      {chat?.problem && (
        <p className="mt-2 flex items-start gap-2 text-pretty text-caution">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {problemText(chat.problem, hasMails)}
        </p>
      )}
      {link && (
        <ConnectDialog
          link={link}
          before={chat?.connected_at ?? null}
          isBusy={ask.isBusy}
          error={ask.error}
          onNewLink={() => ask.run(undefined)}
          onClose={close}
        />
      )}
      {chat && isLeaving && <DisconnectDialog chat={chat} onClose={() => setIsLeaving(false)} />}
    </div>
  );
}

function State({ telegram: { is_possible, chat } }: { telegram: Telegram }) {
  if (chat)
    return (
      <>
        connected {chat.name !== null && <>as {isolatedName(chat.name)} </>}since{' '}
        <When at={chat.connected_at} />
      </>
    );
  return is_possible ? 'not connected' : 'the platform has no bot that works';
}

function DisconnectDialog({ chat, onClose }: { chat: Chat; onClose(): void }) {
  const leave = useAct({
    send: () => call('DELETE /api/me/telegram'),
    done: () => ({ title: 'Telegram is disconnected' }),
    reads: wishesQuery.queryKey,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Disconnect Telegram"
      text={`${chat.name === null ? 'The chat' : `The chat of ${isolatedName(chat.name)}`} receives nothing more. What waits for you is mailed instead, as far as you chose that.`}
      confirm="Disconnect"
      busy="Disconnecting..."
      isDanger
      {...leave}
      onClose={onClose}
    />
  );
}
