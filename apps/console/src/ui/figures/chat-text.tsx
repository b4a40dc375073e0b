import { plainMessage } from '@copydesk/domain/messages';
import { clsx } from 'clsx';

interface ChatTextProps {
  children: string;
  /** Its first two lines, for a table. */
  isCut?: boolean;
  /** It is text as its reader sees it already, without markup. */
  isPlain?: boolean;
  /** The language that it is in, where it is known. */
  lang?: string;
}

/** A message as its reader sees it. What a touch copies in the chat has its own font. */
export function ChatText({ children, isCut = false, isPlain = false, lang }: ChatTextProps) {
  return (
    <span dir="auto" lang={lang} className="block rounded-md bg-subtle px-3 py-2 text-xs">
      <span className={clsx('break-words', isCut ? 'line-clamp-2' : 'block whitespace-pre-wrap')}>
        {isPlain ? children : children.split(/<\/?code>/).map(partOf)}
      </span>
    </span>
  );
}

function partOf(part: string, at: number) {
  const text = plainMessage(part);
  return at % 2 === 1 ? (
    // Parts have no identity but their place.
    <code key={at} className="font-mono break-all">
      {text}
    </code>
  ) : (
    text
  );
}
