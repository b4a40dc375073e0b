import { outstandingOf } from '@copydesk/domain/invoices';
import { exchangeName } from '../../../lib/format/exchange-name.ts';
import { fullTime } from '../../../lib/format/read-time.ts';
import { formatDay } from '../../../lib/format/zone-time.ts';
import { Address } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Name } from '../../../ui/figures/linked.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { ExactUsd } from './exact-usd.tsx';
import type { InvoiceDetail } from './invoice-query.ts';

/** Why a share was settled elsewhere. */
const ELSEWHERE = {
  marked_paid: 'marked as paid',
  not_on_chain: 'imported as paid, not found on chain',
  settled_before_check: 'imported as paid, not checked against the chain',
} as const satisfies Record<InvoiceDetail['off_platform'][number]['reason'], string>;

const SETTLED = { chain: 'on chain', manual: 'by hand', pool: 'by the pool' } as const;

/** The figures of an invoice, and its state. */
export function Figures({ invoice, isSuper }: { invoice: InvoiceDetail; isSuper: boolean }) {
  const { settled_by, paid_at, provider, exchange } = invoice;
  return (
    <Facts className="px-4 py-1">
      <Fact label="Amount">
        <span className="font-semibold">
          <ExactUsd isAsked amount={invoice.amount} />
        </span>
      </Fact>
      <Fact label="Paid on chain">
        <ExactUsd amount={invoice.on_chain_amount} />
      </Fact>
      {invoice.off_platform.map(({ amount, reason }) => (
        <Fact key={reason} label="Settled off-platform">
          <ExactUsd amount={amount} />
          <span className="text-muted"> · {ELSEWHERE[reason]}</span>
        </Fact>
      ))}
      {invoice.status === 'pending' && (
        <Fact label="Outstanding">
          <span className="font-medium">
            <ExactUsd isAsked amount={outstandingOf(invoice)} />
          </span>
        </Fact>
      )}
      {/* A sale is shared by its community and the platform. */}
      {invoice.invoice_type !== 'exchange_bot' && (
        <Fact label="Provider share">
          <ExactUsd amount={invoice.provider_share} />
          <span className="text-muted">
            {' '}
            ·{' '}
            {provider && isSuper ? (
              <Name to={{ to: '/providers/$providerId', params: { providerId: provider.id } }}>
                {provider.name}
              </Name>
            ) : (
              <Name plain="Only super admins open a provider">{provider?.name ?? 'no provider'}</Name>
            )}
          </span>
        </Fact>
      )}
      {settled_by && (
        <Fact label="Settled">
          {SETTLED[settled_by]}
          {paid_at && (
            <span className="text-muted">
              {' '}
              · <When at={paid_at} />
            </span>
          )}
        </Fact>
      )}
      <Fact label="Due">
        <span title={fullTime(invoice.due_at)} className={invoice.is_overdue ? 'text-negative' : undefined}>
          {formatDay(invoice.due_at)}
          {invoice.is_overdue && ' (overdue)'}
        </span>
      </Fact>
      <Fact label="Created">
        <When at={invoice.created_at} as="day" />
      </Fact>
      <Fact label="Community">
        {isSuper ? (
          <Name
            to={{ to: '/community-settings/$communityId', params: { communityId: invoice.community_id } }}
          >
            {invoice.community_name}
          </Name>
        ) : (
          <Name plain="Only super admins open a community">{invoice.community_name}</Name>
        )}
      </Fact>
      <Fact label="Type">
        {invoice.invoice_type !== 'exchange_bot' ? (
          'Regular'
        ) : isSuper ? (
          <Name to={{ to: '/bots/orders/$orderId', params: { orderId: invoice.id } }}>Exchange bot</Name>
        ) : (
          <Name plain="Only super admins open an order">Exchange bot</Name>
        )}
        {exchange && <span className="text-muted"> · {exchangeName(exchange)}</span>}
      </Fact>
      <Fact label="Deposit address">
        <Address address={invoice.payment_address} what="deposit address" />
      </Fact>
    </Facts>
  );
}
