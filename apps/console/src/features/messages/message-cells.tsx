import { useState } from 'react';
import { ChatText } from '../../ui/figures/chat-text.tsx';
import { When } from '../../ui/figures/when.tsx';
import { BELOW, LINES } from '../../ui/table/cell-lines.ts';

/** Two lines of a message, and all when it is pressed. */
export function MessageText({ text, isPlain }: { text: string; isPlain?: boolean }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <button
      type="button"
      aria-expanded={isWhole}
      title={isWhole ? undefined : 'Show the whole message'}
      onClick={() => setWhole(!isWhole)}
      className="block w-full rounded-md py-1 text-start whitespace-normal hover:opacity-80"
    >
      <ChatText isCut={!isWhole} isPlain={isPlain ?? false}>
        {text}
      </ChatText>
    </button>
  );
}

/** When a message was written, and when Telegram has taken it. */
export function Written({ created_at: at, sent_at: sentAt }: { created_at: string; sent_at: string | null }) {
  return (
    <span className={LINES}>
      <When at={at} />{' '}
      {sentAt && (
        <span className={BELOW}>
          Sent <When at={sentAt} />
        </span>
      )}
    </span>
  );
}
