import Info from 'lucide-react/icons/info';
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';

const loadTip = () => import('./tip.tsx');
const Tip = lazy(loadTip);

/** A pointer that only passes by opens nothing. */
const HOVER_MS = 150;
const MARK = 'inline-flex size-5 items-center justify-center rounded text-muted hover:text-ink';

interface InfoTipProps {
  about: string;
  /** Or what loads it. */
  text: ReactNode | (() => Promise<string>);
  /** What is pointed at, instead of a mark beside a text. */
  children?: ReactNode;
  className?: string;
  tabIndex?: number;
}

/**
 * Explains the text beside it on hover, tap or keyboard focus. The code that places the explanation loads
 * shortly before.
 */
export function InfoTip({ about, text, children, className = MARK, tabIndex }: InfoTipProps) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(hover.current), []);
  const close = () => {
    clearTimeout(hover.current);
    setOpen(false);
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        tabIndex={tabIndex}
        aria-label={children ? undefined : `About ${about}`}
        aria-describedby={isOpen ? id : undefined}
        onPointerEnter={({ pointerType }) => {
          void loadTip();
          if (pointerType !== 'touch') hover.current = setTimeout(() => setOpen(true), HOVER_MS);
        }}
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && close()}
        // Touch has no hover: a tap opens it.
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={close}
        onKeyDown={({ key }) => key === 'Escape' && close()}
        className={className}
      >
        {children ?? <Info className="size-3.5" aria-hidden="true" />}
      </button>
      {isOpen && (
        <Suspense>
          <Tip id={id} anchor={trigger} text={text} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
