import { plainMessage } from '@copydesk/domain/messages';
import { clsx } from 'clsx';

interface ChatTextProps {
  children: string;
  /** Its first two lines, for a table. */
  isCut?: boolean;
}

/** A message as its reader sees it: what one copies in the chat with a touch has its own font. */
export function ChatText({ children, isCut = false }: ChatTextProps) {
  return (
    <span dir="auto" className="block rounded-md bg-subtle px-3 py-2 text-xs">
      <span className={clsx('break-words', isCut ? 'line-clamp-2' : 'block whitespace-pre-wrap')}>
        {children.split(/<\/?code>/).map((part, at) => {
          const text = plainMessage(part);
          // Parts have no identity but their place.
          return at % 2 === 1 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <code key={at} className="font-mono break-all">
              {text}
            </code>
          ) : (
            text
          );
        })}
      </span>
    </span>
  );
}
