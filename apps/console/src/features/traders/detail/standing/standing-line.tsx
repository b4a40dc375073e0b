import type { Trader } from '@copydesk/contract/traders';
import { sumDecimals } from '@copydesk/domain/money';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PART_OF_AUM, unreadWords } from '../../../../lib/format/aum-texts.ts';
import { MESSAGE_PROBLEM_TEXTS } from '../../../../lib/format/message-texts.ts';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { fullTime } from '../../../../lib/format/read-time.ts';
import { askedUsdt } from '../../../../lib/format/usdt.ts';
import { Money } from '../../../../ui/figures/money.tsx';
import { YourPart } from '../../../../ui/figures/your-part.tsx';

const DAY_MS = 86_400_000;
const LINK = 'rounded font-medium text-accent tabular-nums hover:underline';

/** What matters of a trader first: what it owes, what did not reach it, and what it has. */
export function StandingLine({ trader }: { trader: Trader }) {
  const { standing } = trader;
  return (
    <p className="-mt-2 text-pretty">
      {standing && (
        <>
          <Debt traderId={trader.id} standing={standing} />
          {'; '}
        </>
      )}
      {standing && standing.failed_messages > 0 && (
        <>
          <Failures standing={standing} />
          {'; '}
        </>
      )}
      <Aum trader={trader} />
    </p>
  );
}

type Standing = NonNullable<Trader['standing']>;

function Debt({ traderId, standing }: { traderId: string; standing: Standing }) {
  const { owed_amount, owed_count, oldest_owed_at: oldestAt, pool_count } = standing;
  const beside =
    pool_count > 0
      ? `${counted(pool_count, 'more open invoice', 'more open invoices')}, which a pool pays from its result.`
      : undefined;
  if (owed_count === 0 || oldestAt === null) return <Plain title={beside}>Owes nothing</Plain>;
  const words = `Owes ${askedUsdt(owed_amount)}, ${counted(owed_count, 'invoice', 'invoices')}`;
  const age = <span title={`Created ${fullTime(oldestAt)}`}>, {ageWords(oldestAt, owed_count)}</span>;
  return (
    <>
      {beside ? (
        // No link: the list would show those of the pool as well.
        <Plain title={`${beside} The list of invoices shows them together.`}>{words}</Plain>
      ) : (
        <Link
          to="/invoices"
          search={{ trader: traderId, status: 'pending', type: 'regular' }}
          className={LINK}
        >
          {words}
        </Link>
      )}
      {age}
    </>
  );
}

/** A single failure about an invoice links to that invoice, which shows it. */
function Failures({ standing: { failed_messages, last_failure } }: { standing: Standing }) {
  const words = `${counted(failed_messages, 'message', 'messages')} failed`;
  const problem = last_failure?.problem ? MESSAGE_PROBLEM_TEXTS[last_failure.problem] : undefined;
  const title = problem && (failed_messages === 1 ? `${problem}.` : `The latest: ${problem}.`);
  if (failed_messages === 1 && last_failure?.invoice_id)
    return (
      <Link
        to="/invoices/$invoiceId"
        params={{ invoiceId: last_failure.invoice_id }}
        title={title}
        className={LINK}
      >
        {words}
      </Link>
    );
  return (
    <Plain title={title} className="text-negative">
      {words}
      {problem && <span className="text-muted"> ({problem})</span>}
    </Plain>
  );
}

function Aum({ trader }: { trader: Trader }) {
  const { aum, aum_pool_capital: capital = '0', aum_unread_accounts: unread = 0, aum_is_part } = trader;
  if (aum === null || aum === undefined) return <Plain>AUM not calculated</Plain>;
  const accounts = sumDecimals([String(aum), `-${capital}`]);
  return (
    <Plain title={unread > 0 ? `${unreadWords(unread)}.` : undefined}>
      AUM <Money amount={aum} as="equity" />
      {capital !== '0' && (
        <>
          {' '}
          (accounts <Money amount={accounts} as="equity" />, pools <Money amount={capital} as="equity" />)
        </>
      )}
      {aum_is_part && ' '}
      <YourPart isPart={aum_is_part} title={PART_OF_AUM} />
    </Plain>
  );
}

interface PlainProps {
  title?: string | undefined;
  className?: string;
  children: ReactNode;
}

const Plain = ({ title, className = 'text-muted', children }: PlainProps) => (
  <span title={title} className={`tabular-nums ${className}`}>
    {children}
  </span>
);

const counted = (n: number, one: string, many: string) => `${formatCount(n)} ${n === 1 ? one : many}`;

/** @param count of the invoices: one is its own oldest */
function ageWords(createdAt: string, count: number): string {
  const days = Math.floor((Date.now() - Date.parse(createdAt)) / DAY_MS);
  const age = days < 1 ? 'less than a day' : counted(days, 'day', 'days');
  return count === 1 ? `${age} old` : `oldest ${age}`;
}
