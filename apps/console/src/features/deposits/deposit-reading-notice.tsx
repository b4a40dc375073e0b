import type { CallAnswer } from '@copydesk/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import CircleAlert from 'lucide-react/icons/circle-alert';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { durationWords } from '../../lib/format/payout-problem-texts.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Count } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { TxLink } from '../../ui/figures/tx-link.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../ui/form/reason-field.tsx';
import { useDialogForm } from '../../ui/form/use-dialog-form.ts';

type DepositReading = CallAnswer<'GET /api/super-admin/deposit-reading'>['data'];

/** A stop sends no event, and a person learns of it within half a minute. */
const READ_AGAIN_MS = 10_000;

/** How far the chain was read for deposits, and why reading stopped. */
const depositReadingQuery = queryOptions({
  queryKey: ['deposit-reading'],
  staleTime: 0,
  refetchOnMount: true,
  refetchInterval: READ_AGAIN_MS,
  queryFn: async ({ signal }) => (await call('GET /api/super-admin/deposit-reading', { signal })).data,
});

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
          {stoppedWords(stopped_because)}{' '}
          {updated_at && (
            <>
              Last read <When at={updated_at} />.{' '}
            </>
          )}
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
            <Money amount={deposit.amount} className="font-medium" />
            <span className="text-muted">{SET_ASIDE_WORDS[deposit.reason]}</span>
            <TxLink hash={deposit.transaction_hash} what="Deposit" explorerUrl={explorerUrl} />
            <When at={deposit.created_at} className="text-muted" />
          </li>
        ))}
      </ul>
      {set_aside_count > set_aside.length && (
        <p className="text-xs text-muted">
          The newest <Count n={set_aside.length} plain="They are listed above" /> of{' '}
          <Count n={set_aside_count} plain="The newest are listed above" />
        </p>
      )}
    </Notice>
  );
}

const SET_ASIDE_WORDS: Record<DepositReading['set_aside'][number]['reason'], string> = {
  amount_too_large: 'Amount too large for the ledger',
  cannot_be_booked: 'The ledger rejected it',
};

/** The server's recorded reason for the stop, as a sentence; block hashes are shortened to their first characters. */
export function stoppedWords(because: string): string {
  const text = because.replaceAll(/0x[0-9a-f]{16,}/gi, (hash) => `${hash.slice(0, 10)}…`);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** How far reading is behind: servers that stand still answer without an error. */
const lateWords = (seconds: number) =>
  `The last block that was read is ${durationWords(seconds * 1_000)} old: the servers of the chain are behind, or reading catches up. Payments of traders are booked that much later.`;

/** Resumes reading after a final block changed, with the operator's findings as the reason. */
function ResumeDialog({ onClose }: { onClose(): void }) {
  const form = useDialogForm({
    values: { reason: '' },
    findErrors: ({ reason }) => (reason.trim() === '' ? { reason: 'Describe what you found' } : null),
    send: ({ reason }, keyOf) => {
      const body = { reason: reason.trim() };
      return call('POST /api/super-admin/deposit-reading/resume', { body, idempotencyKey: keyOf(body) });
    },
    done: () => ({ title: 'Deposit reading resumed' }),
    reads: depositReadingQuery.queryKey,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Resume reading deposits"
      text="A final block changed. Compare the booked deposits with the chain before you resume: bookings are not undone."
      confirm="Resume"
      busy="Resuming..."
      onClose={onClose}
    >
      <ReasonField label="What was found" />
    </FormDialog>
  );
}
