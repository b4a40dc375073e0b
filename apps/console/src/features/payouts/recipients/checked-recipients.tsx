import { decimalToUnits } from '@copydesk/domain/money';
import { RECIPIENT_NEWS, type RecipientNews } from '@copydesk/domain/payouts';
import { clsx } from 'clsx';
import ChevronRight from 'lucide-react/icons/chevron-right';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import { type ReactNode, useMemo, useState } from 'react';
import { numberFormat } from '../../../lib/format/numbers.ts';
import { capitalised, typeWords } from '../../../lib/format/payout-texts.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { Count, Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { sumOf } from '../distribute/selection.ts';
import { recipientsWord } from '../payout-texts.ts';
import type { PaidRecipient } from '../payouts-queries.ts';
import { PaidBefore } from './paid-before.tsx';
import type { ShownLine } from './recipient-columns.tsx';
import { RecipientTable } from './recipient-table.tsx';

interface CheckedRecipientsProps {
  label: string;
  lines: readonly ShownLine[];
  /** What was paid to their addresses before. */
  paid: readonly PaidRecipient[];
}

/** Recipients of an order: new or unusual ones first and whole, the others folded with their sum. */
export function CheckedRecipients({ label, lines, paid }: CheckedRecipientsProps) {
  const paidOf = useMemo(() => {
    const byAddress = new Map(paid.map((each) => [each.recipientAddress.toLowerCase(), each]));
    return (address: string) => byAddress.get(address.toLowerCase());
  }, [paid]);
  const [news, known] = useMemo(() => {
    // A recipient of whom nothing is known counts as new.
    const isNews = ({ recipientAddress }: ShownLine) => paidOf(recipientAddress)?.news.length !== 0;
    const byAddress = Map.groupBy(lines.filter(isNews), ({ recipientAddress }) => recipientAddress);
    const rank = ({ address }: Whole) => rankOf(paidOf(address));
    return [
      [...byAddress.values()].map(together).toSorted((a, b) => rank(a) - rank(b)),
      lines.filter((line) => !isNews(line)),
    ] as const;
  }, [lines, paidOf]);
  const [isOpen, setOpen] = useState(false);
  const table = (
    // On a phone the whole dialog scrolls, so a notice above never squeezes the new recipients.
    <div className="flex min-h-0 flex-1 flex-col max-sm:min-h-60">
      <RecipientTable isWhole label={label} lines={known} paidOf={paidOf} />
    </div>
  );
  if (news.length === 0) return table;
  return (
    <>
      <News news={news} paidOf={paidOf} />
      {known.length > 0 && (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-10 w-full shrink-0 items-center gap-1.5 border-t border-line px-4 py-2 text-start font-medium hover:bg-hover"
          >
            <ChevronRight
              aria-hidden="true"
              className={clsx('size-4 shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
            />
            <span className="tabular-nums">
              {recipientsWord(addressCount(known))} paid before, <Money amount={sumOf(known)} />
            </span>
          </button>
          {isOpen && table}
        </>
      )}
    </>
  );
}

/** One address, with what all its roles are paid together. */
interface Whole {
  address: string;
  amount: string;
  roles: ReadonlySet<string>;
}

function together(lines: readonly ShownLine[]): Whole {
  const roles = new Set<string>(lines.map(({ recipientType }) => recipientType));
  return {
    address: lines[0]?.recipientAddress ?? '',
    amount: sumOf(lines),
    roles,
  };
}

/** The most telling news comes first; ties keep the order of the lines, largest amount first. */
const rankOf = (paid: PaidRecipient | undefined) =>
  paid?.news[0] ? RECIPIENT_NEWS.indexOf(paid.news[0]) : -1;

const addressCount = (lines: readonly ShownLine[]) =>
  new Set(lines.map(({ recipientAddress }) => recipientAddress)).size;

/** More are shown by the press of a button: each takes four lines. */
const SHOWN_AT_ONCE = 50;

interface NewsProps {
  news: readonly Whole[];
  paidOf(address: string): PaidRecipient | undefined;
}

function News({ news, paidOf }: NewsProps) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
      aria-label="New or unusual"
      className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2 max-sm:flex-none max-sm:overflow-visible"
    >
      <h3 className="sticky top-0 flex items-center gap-1.5 border-b border-caution/30 bg-caution-soft px-4 py-2 font-semibold text-caution">
        <ShieldAlert className="size-4 shrink-0" aria-hidden="true" />
        <span>
          New or unusual:{' '}
          <Count n={news.length} of={['recipient', 'recipients']} plain="They are listed below" />,{' '}
          <Money amount={sumOf(news)} />
        </span>
      </h3>
      <ul className="divide-y divide-line">
        {news.slice(0, shown).map((whole) => (
          <li key={whole.address} className="px-4 py-2.5">
            <WholeRecipient whole={whole} paid={paidOf(whole.address)} />
          </li>
        ))}
      </ul>
      {news.length > shown && (
        <Button look="quiet" className="w-full" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          Show more
        </Button>
      )}
    </section>
  );
}

function WholeRecipient({ whole, paid }: { whole: Whole; paid: PaidRecipient | undefined }) {
  const { address, amount, roles } = whole;
  // The platform's own recipients are called by their roles.
  const others = [...roles].filter((role) => !paid?.owners.includes(role));
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <p className="wrap-anywhere">
          {paid && <Owners paid={paid} roles={roles} />}{' '}
          {others.length > 0 && (
            <span className="text-muted">{capitalised(others.map(typeWords).join(', '))}</span>
          )}
        </p>
        <WholeAddress address={address} />
        <ul className="font-medium text-caution">
          {paid ? (
            paid.news.map((news) => <li key={news}>{NEWS[news](paid)}</li>)
          ) : (
            <li>What was paid to it before is not known</li>
          )}
        </ul>
        {paid && paid.paid_count > 0 && (
          <p className="text-xs text-muted">
            Paid before: <PaidBefore paid={paid} hidesUsual={paid.news.includes('above_usual')} />
            {paid.last_paid_at && (
              <>
                , last <When at={paid.last_paid_at} as="day" />
              </>
            )}
          </p>
        )}
      </div>
      <Money amount={amount} className="shrink-0 font-medium" />
    </div>
  );
}

function Owners({
  paid: { owners, owner_count: count },
  roles,
}: {
  paid: PaidRecipient;
  roles: ReadonlySet<string>;
}) {
  return (
    <>
      {owners.map((owner, nth) => (
        <span key={owner}>
          {nth > 0 && ', '}
          <bdi>
            <Name plain="A link would leave the order">{roles.has(owner) ? capitalised(owner) : owner}</Name>
          </bdi>
        </span>
      ))}
      {count > owners.length && (
        <>
          {' '}
          and <Count n={count - owners.length} plain="Payouts list the shares of each" /> more
        </>
      )}
    </>
  );
}

const NEWS: Record<RecipientNews, (paid: PaidRecipient) => ReactNode> = {
  first_payment: () => 'First payment to this address',
  address_changed: ({ address_changed_at: at }) => <>Address changed {at && <When at={at} as="day" />}</>,
  above_usual: ({ usual_amount: usual, most_amount: most }) =>
    usual && (
      <>
        Usually <Money amount={usual} as="cents" />: <Money amount={most} as="cents" /> is{' '}
        {timesWords(most, usual)} as much
      </>
    ),
};

const upToTenths = numberFormat({ maximumFractionDigits: 1 });
const MOST_TIMES = 1000n;

/** How many times as much an amount is, never rounded up. */
function timesWords(amount: string, usual: string): string {
  const tenths = ((decimalToUnits(amount) ?? 0n) * 10n) / (decimalToUnits(usual) || 1n);
  if (tenths > MOST_TIMES * 10n) return `more than ${upToTenths(String(MOST_TIMES))} times`;
  return `${upToTenths(`${tenths / 10n}.${tenths % 10n}`)} times`;
}
