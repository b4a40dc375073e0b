import { formatCount } from '@copydesk/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import CircleAlert from 'lucide-react/icons/circle-alert';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { formatUsdt } from '../../lib/payout-words.ts';
import { fullTime, momentWords } from '../../lib/read-time.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TxLink } from '../../ui/figures/tx-link.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { type DepositReading, depositReadingQuery } from './deposit-reading-query.ts';
import { lateWords, SET_ASIDE_WORDS, stoppedWords } from './deposit-words.ts';
import { ResumeDialog } from './resume-dialog.tsx';

/** For super admins: whether deposits are being read, how late, why not, and which deposits could not be booked. */
export function DepositReadingNotice({ explorerUrl }: { explorerUrl: string }) {
  const { data } = useQuery(depositReadingQuery);
  const [isAsked, setAsked] = useState(false);
  if (!data) return null;
  const { stopped_because, needs_review, updated_at, late_seconds, set_aside } = data;
  return (
    <div className="grid gap-2 empty:hidden">
      {stopped_because !== null && (
        <Notice
          tone="negative"
          icon={CircleAlert}
          isBox
          title="Deposits are not being read"
          actions={needs_review && <Button onClick={() => setAsked(true)}>Resume</Button>}
        >
          {stoppedWords(stopped_because)} {updated_at && <>Last read {momentWords(updated_at)}. </>}
          Payments of traders are not booked until reading continues.
        </Notice>
      )}
      {stopped_because === null && late_seconds !== null && (
        <Notice tone="caution" icon={TriangleAlert} isBox title="Deposits are read late">
          {lateWords(late_seconds)}
        </Notice>
      )}
      {set_aside.length > 0 && <SetAside reading={data} explorerUrl={explorerUrl} />}
      {isAsked && <ResumeDialog onClose={() => setAsked(false)} />}
    </div>
  );
}

function SetAside({ reading, explorerUrl }: { reading: DepositReading; explorerUrl: string }) {
  const { set_aside, set_aside_count } = reading;
  const title = `${formatCount(set_aside_count)} ${set_aside_count === 1 ? 'deposit was' : 'deposits were'} set aside`;
  return (
    <Notice tone="caution" icon={TriangleAlert} isBox title={title}>
      <ul
        aria-label="Deposits set aside"
        className="max-h-32 divide-y divide-line overflow-y-auto text-xs tabular-nums"
      >
        {set_aside.map((deposit) => (
          <li key={deposit.id} className="flex flex-wrap items-center gap-x-3 py-1">
            <Link
              to="/trader/$traderId"
              params={{ traderId: deposit.trader.id }}
              className="rounded text-accent hover:underline"
            >
              {deposit.trader.reference_number ?? 'No reference number'}
            </Link>
            <span className="font-medium">{formatUsdt(deposit.amount)} USDT</span>
            <span className="text-muted">{SET_ASIDE_WORDS[deposit.reason]}</span>
            <TxLink hash={deposit.transaction_hash} what="Deposit" explorerUrl={explorerUrl} />
            <time dateTime={deposit.created_at} title={fullTime(deposit.created_at)} className="text-muted">
              {momentWords(deposit.created_at)}
            </time>
          </li>
        ))}
      </ul>
      {set_aside_count > set_aside.length && (
        <p className="text-xs text-muted">
          The newest {formatCount(set_aside.length)} of {formatCount(set_aside_count)}
        </p>
      )}
    </Notice>
  );
}
