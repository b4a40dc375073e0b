import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';

const TONES = {
  neutral: 'bg-subtle text-muted',
  accent: 'bg-accent-soft text-accent',
  positive: 'bg-positive-soft text-positive',
  caution: 'bg-caution-soft text-caution',
  negative: 'bg-negative-soft text-negative',
} as const;

export type Tone = keyof typeof TONES;

export function Badge({ tone, icon: Icon, children }: { tone: Tone; icon?: LucideIcon; children: string }) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 max-w-full align-middle items-center gap-1 rounded px-1.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {Icon && <Icon className="size-3 shrink-0" aria-hidden="true" />}
      <span className="truncate">{children}</span>
    </span>
  );
}
