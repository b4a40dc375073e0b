import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { Badge, type Tone } from './badge.tsx';

const DOTS = { positive: 'bg-positive', neutral: 'bg-control' } as const;

interface StateProps {
  tone: Tone;
  /** Of an exception. */
  icon?: LucideIcon | undefined;
  children: string;
}

/** The state of a thing: a dot and its word while all is as it should be, a filled badge for exceptions. */
export function State({ tone, icon, children }: StateProps) {
  if (tone !== 'positive' && tone !== 'neutral')
    return (
      <Badge tone={tone} icon={icon}>
        {children}
      </Badge>
    );
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className={clsx('size-1.5 shrink-0 rounded-full', DOTS[tone])} />
      <span className="truncate">{children}</span>
    </span>
  );
}
