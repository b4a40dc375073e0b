import { shortId } from '@copydesk/domain/money';
import { signOf } from '@copydesk/domain/trading';
import { Link } from '@tanstack/react-router';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { formatPnl } from '../../../lib/format/figures.ts';
import { numberFormat } from '../../../lib/format/numbers.ts';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count, Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { SignedFigure } from '../../../ui/figures/signed-figure.tsx';
import { ExactUsd } from './exact-usd.tsx';
import type { InvoiceDetail } from './invoice-query.ts';

/** A commission rate: `50%`, `33.3333%`. */
const percent = numberFormat({ style: 'percent', maximumFractionDigits: 4 });
const rateOf = ({ commission_rate }: InvoiceDetail) => percent(Number(commission_rate));

type BasisOf<K extends InvoiceDetail['basis']['kind']> = Extract<InvoiceDetail['basis'], { kind: K }>;

/** What the amount is made from: the rule in a sentence, then every figure of it, down to the amount. */
export function Basis({ invoice }: { invoice: InvoiceDetail }) {
  const { basis } = invoice;
  return (
    <div className="space-y-1.5">
      {basis.kind === 'positions' && <OfPositions invoice={invoice} basis={basis} />}
      {basis.kind === 'cycle' && <OfCycle invoice={invoice} basis={basis} />}
      {basis.kind === 'order' && <OfOrder basis={basis} />}
      <Facts className="border-t border-line-strong">
        <Fact label="Invoiced" isTotal>
          <ExactUsd isAsked amount={invoice.amount} />
        </Fact>
      </Facts>
      <Unexplained basis={basis} />
    </div>
  );
}

const Rule = ({ children }: { children: ReactNode }) => <p className="text-pretty text-muted">{children}</p>;

const Profit = ({ usd }: { usd: string }) => <SignedFigure text={formatPnl(usd)} sign={signOf(usd)} />;

function OfPositions({ invoice, basis }: { invoice: InvoiceDetail; basis: BasisOf<'positions'> }) {
  if (basis.positions === 0) return null;
  return (
    <>
      <Rule>
        {rateOf(invoice)} of the profit of every position that closed with one. Losing positions are not
        counted, and no loss is carried to another invoice.
      </Rule>
      <Facts>
        <Fact
          label={
            <>
              Profit of{' '}
              <Count
                n={basis.positions}
                of={['position', 'positions']}
                plain="The list of positions has them"
              />
            </>
          }
        >
          <Profit usd={basis.profit} />
        </Fact>
        <Fact label={`Commission of ${rateOf(invoice)}`}>
          <ExactUsd amount={basis.commission} />
        </Fact>
        {invoice.deductions.map(({ amount, invoice_id, symbol }) => (
          <Fact key={`${invoice_id} ${symbol} ${amount}`} label="Deducted">
            −<ExactUsd amount={amount} />
            <span className="text-muted"> · {symbol} on </span>
            <Link
              to="/invoices/$invoiceId"
              params={{ invoiceId: invoice_id }}
              className="rounded font-mono text-sm text-accent hover:underline"
            >
              {shortId(invoice_id)}
            </Link>
          </Fact>
        ))}
      </Facts>
      {basis.before_fees > 0 && (
        <p className="text-xs text-muted">
          The profit of{' '}
          <Count
            n={basis.before_fees}
            of={['position', 'positions']}
            plain="They are marked in the list of positions"
          />{' '}
          is before trading fees, which the exchange does not report.
        </p>
      )}
    </>
  );
}

function OfCycle({ invoice, basis }: { invoice: InvoiceDetail; basis: BasisOf<'cycle'> }) {
  const { pool_id, cycle_number, fee_basis, result, winners, carried_before, charged_profit } = basis;
  return (
    <>
      <Rule>
        {fee_basis === 'net_carry'
          ? `${rateOf(invoice)} of the member's part of the result, after the losses of earlier cycles are made up.`
          : `${rateOf(invoice)} of the member's part of the profit of winning positions. Losses are not counted.`}
      </Rule>
      <Facts>
        <Fact label="Harvest cycle">
          <Name to={{ to: '/pools/$poolId', params: { poolId: pool_id } }}>{`Cycle ${cycle_number}`}</Name>
        </Fact>
        <Fact label="Part of the result">
          <Profit usd={result} />
        </Fact>
        {fee_basis === 'net_carry' ? (
          <Fact label="Losses of earlier cycles">
            <ExactUsd amount={carried_before} />
          </Fact>
        ) : (
          <Fact label="Part of winning positions">
            <Profit usd={winners} />
          </Fact>
        )}
        <Fact label="Charged on">
          <ExactUsd amount={charged_profit} />
        </Fact>
      </Facts>
    </>
  );
}

function OfOrder({ basis: { days, price, discount } }: { basis: BasisOf<'order'> }) {
  return (
    <Facts>
      <Fact label={`Plan of ${days} ${days === 1 ? 'day' : 'days'}`}>
        <ExactUsd amount={price} />
      </Fact>
      {/[1-9]/.test(discount) && (
        <Fact label="Discount of the coupon">
          −<ExactUsd amount={discount} />
        </Fact>
      )}
    </Facts>
  );
}

/** An amount without a reason is the first thing to ask about. */
function Unexplained({ basis }: { basis: InvoiceDetail['basis'] }) {
  if (!/[1-9]/.test(basis.unexplained)) return null;
  if (basis.kind === 'positions' && basis.positions === 0)
    return <Rule>No positions are on record for it, so nothing here says what it was charged for.</Rule>;
  return (
    <p className="flex items-start gap-2 text-caution">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span className="text-pretty">
        The amount is <Money amount={basis.unexplained.replace('-', '')} as="exact" />{' '}
        {basis.unexplained.startsWith('-') ? 'less' : 'more'} than these figures make.
      </span>
    </p>
  );
}
