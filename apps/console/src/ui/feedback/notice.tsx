import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  neutral: 'border-line bg-subtle text-ink',
  caution: 'border-caution/30 bg-caution-soft text-caution',
  negative: 'border-negative/30 bg-negative-soft text-negative',
} as const;

interface NoticeProps {
  tone: keyof typeof TONES;
  icon: LucideIcon;
  title: ReactNode;
  /** With rounded corners on a screen; otherwise across a dialog. */
  isBox?: boolean;
  actions?: ReactNode;
  children?: ReactNode;
}

/** Information to read before the rest. */
export function Notice({ tone, icon: Icon, title, isBox = false, actions, children }: NoticeProps) {
  return (
    <div
      role="status"
      className={clsx(
        'flex shrink-0 flex-wrap items-start gap-x-2.5 gap-y-2',
        TONES[tone],
        isBox ? 'rounded-lg border px-4 py-2.5' : 'border-b px-4 py-2.5',
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-48 flex-1 wrap-anywhere">
        <p className="font-medium">{title}</p>
        {children && <div className="text-ink">{children}</div>}
      </div>
      {actions}
    </div>
  );
}
