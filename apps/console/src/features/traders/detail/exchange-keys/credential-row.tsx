import type { TraderExchange } from '@copydesk/contract/exchanges';
import { maskCredential } from '@copydesk/domain/trading';
import { clsx } from 'clsx';
import Eye from 'lucide-react/icons/eye';
import { useCallback } from 'react';
import type { RecentAuth } from '../../../../lib/api/call.ts';
import { CopyButton } from '../../../../ui/figures/copy-button.tsx';
import type { AccountField } from './account-fields.ts';
import { revealCredential } from './reveal-credential.ts';
import { type ClickFirst, useReveal } from './use-reveal.ts';

interface CredentialRowProps {
  traderId: string;
  account: Pick<TraderExchange, 'exchange' | 'acc_uid'>;
  field: AccountField;
  /** Called after this person revealed a credential of the account. @param left accounts until a reason is needed */
  onRevealed(left: number): void;
  /** Asks for the reason that the next accounts need. */
  askReason(): Promise<string | null>;
}

const CLICK_FIRST: Record<ClickFirst, string> = {
  recentAuth: 'Confirm it is you: click to reveal',
  factor: 'Add a second factor: click',
  reason: 'Give a reason: click to reveal',
};

/** One masked credential. Hover or keyboard focus reveals it; leaving hides it. */
export function CredentialRow({ traderId, account, field, onRevealed, askReason }: CredentialRowProps) {
  const { exchange, acc_uid } = account;
  const wanted = field.kind === 'secret' ? field.field : null;
  const plain = field.kind === 'address' ? field.value : null;
  const ask = useCallback(
    async (recentAuth: RecentAuth) => {
      if (!wanted) return plain ?? '';
      const name = { exchange, acc_uid, field: wanted };
      const { value, left } = await revealCredential(traderId, name, { recentAuth, askReason });
      onRevealed(left);
      return value;
    },
    [traderId, exchange, acc_uid, wanted, plain, onRevealed, askReason],
  );
  const { shown, isAsking, problem, clickFirst, getValue, show, look, leave } = useReveal(ask);
  const first = clickFirst && CLICK_FIRST[clickFirst];
  const answer = shown ?? problem;
  const text = answer ?? first;
  const dots = maskCredential(field.kind === 'secret' ? field.masked : field.value);
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] items-center gap-1.5">
      <span className="text-xs text-muted">{field.label}</span>
      <button
        type="button"
        aria-label={answer === null ? [`Reveal ${field.label}`, first].filter(Boolean).join('. ') : undefined}
        // On a move, not when it enters: a page that appears or scrolls beneath a resting pointer must reveal
        // nothing.
        onPointerMove={look}
        onPointerLeave={leave}
        onFocus={look}
        onBlur={leave}
        onClick={show}
        onKeyDown={(event) => event.key === 'Escape' && leave()}
        className="group/reveal relative flex h-7 min-w-0 items-center rounded px-1.5 text-start font-mono text-sm hover:bg-subtle"
      >
        <span
          aria-hidden="true"
          className={clsx(
            'overflow-hidden font-sans tracking-tighter whitespace-nowrap text-muted',
            isAsking && 'skeleton',
          )}
        >
          {dots}
        </span>
        <Eye
          aria-hidden="true"
          className="ms-auto size-3 shrink-0 text-muted opacity-0 group-hover/reveal:opacity-100 group-focus-visible/reveal:opacity-100"
        />
        <span aria-live="polite">
          {text !== null ? (
            <span
              className={clsx(
                'absolute inset-x-0 top-0 z-10 min-h-7 rounded bg-raised px-1.5 py-1 break-all shadow-raised outline outline-line-strong',
                problem && 'font-sans text-negative',
                clickFirst && 'font-sans text-caution',
              )}
            >
              {text}
            </span>
          ) : null}
        </span>
      </button>
      <CopyButton what={field.label} getText={getValue} />
    </div>
  );
}
