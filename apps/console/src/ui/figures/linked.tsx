import {
  Link,
  type LinkProps,
  type RegisteredRouter,
  type ValidateLinkOptions,
} from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format/numbers.ts';

/** Where it leads: to exactly what it counts or names, or the reason why it leads nowhere. */
type Leads<To> =
  | { to: ValidateLinkOptions<RegisteredRouter, To>; plain?: never }
  | { plain: string; to?: never };

interface Looks {
  className?: string | undefined;
  tabIndex?: number | undefined;
}

type CountProps<To> = Leads<To> &
  Looks & { n: number /** `1 row`, `2 rows` */; of?: readonly [one: string, many: string] };

/** A number of things, as a link to exactly these things. */
export function Count<To>({ n, of, to, className, tabIndex }: CountProps<To>) {
  const text = of ? `${formatCount(n)} ${n === 1 ? of[0] : of[1]}` : formatCount(n);
  return (
    <Linked
      {...{ to, className, tabIndex }}
      look="underline decoration-line-strong underline-offset-2 hover:text-accent"
      text={text}
    />
  );
}

type NameProps<To> = Leads<To> & Looks & { children: string };

/** The name of a thing, as a link to it. */
export function Name<To>({ children, to, className, tabIndex }: NameProps<To>) {
  return (
    <Linked
      {...{ to, className, tabIndex }}
      look="font-medium hover:text-accent hover:underline"
      text={children}
    />
  );
}

interface LinkedProps extends Looks {
  to: object | undefined;
  look: string;
  text: string;
}

/** The types of where it leads are checked by the two above. */
function Linked({ to, look, text, className, tabIndex }: LinkedProps): ReactNode {
  if (!to) return <span className={clsx('tabular-nums', className)}>{text}</span>;
  return (
    <Link
      {...(to as LinkProps)}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      className={clsx('rounded tabular-nums', look, className)}
    >
      {text}
    </Link>
  );
}
