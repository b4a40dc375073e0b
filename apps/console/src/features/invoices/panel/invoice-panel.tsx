import { shortId } from '@copydesk/domain/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { PanelSection } from '../../../ui/layout/panel-section.tsx';
import { PanelSkeleton } from '../../../ui/layout/panel-skeleton.tsx';
import { SidePanel } from '../../../ui/layout/side-panel.tsx';
import type { ActHandlers } from '../acts/act-handlers.ts';
import { InvoiceBadges } from '../list/mark-badges.tsx';
import { Basis } from './basis.tsx';
import { Figures } from './figures.tsx';
import { type InvoiceDetail, invoiceQuery } from './invoice-query.ts';
import { MessagesSection } from './messages.tsx';
import { PanelActs } from './panel-acts.tsx';
import { Payments } from './payments.tsx';
import { Positions } from './positions.tsx';
import { Split } from './split.tsx';

interface InvoicePanelProps extends ActHandlers {
  id: string;
  /** What people wrote about it. */
  notes: ReactNode;
  /** What happened to its money, and what comes next. */
  timeline: ReactNode;
  isSuper: boolean;
  explorerUrl: string;
  onClose(): void;
}

function Head({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <div className="mt-0.5 flex min-w-0 items-center justify-between gap-3">
      <Link
        to="/trader/$traderId"
        params={{ traderId: invoice.trader_id }}
        className="min-w-0 truncate rounded text-accent hover:underline"
      >
        {listName(invoice.trader)}
        {invoice.trader.reference_number && (
          <span className="font-mono text-sm"> {invoice.trader.reference_number}</span>
        )}
      </Link>
      <InvoiceBadges invoice={invoice} />
    </div>
  );
}

/** An invoice beside the list: its positions, its payments, its split, and the messages to the trader. */
export function InvoicePanel({
  id,
  isSuper,
  notes,
  timeline,
  explorerUrl,
  onClose,
  onAct,
  onNotify,
}: InvoicePanelProps) {
  const { data: invoice, error, refetch } = useQuery(invoiceQuery(id));
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <SidePanel
      label={`Invoice ${shortId(id)}`}
      title={
        <h2>
          Invoice{' '}
          <Link
            to="/invoices/$invoiceId"
            params={{ invoiceId: id }}
            className="rounded font-mono text-sm font-medium text-accent hover:underline"
          >
            {shortId(id)}
          </Link>
        </h2>
      }
      head={
        invoice ? (
          <Head invoice={invoice} />
        ) : (
          <span className="mt-1.5 block h-4 empty:h-5" aria-hidden="true" />
        )
      }
      onClose={onClose}
    >
      <QueryState
        small
        error={
          error && !invoice
            ? {
                title: isMissing ? 'Invoice not found' : 'Error loading invoice',
                message: isMissing
                  ? 'It may have been deleted, or you may not have access to it.'
                  : messageOf(error),
              }
            : null
        }
        onRetry={() => void refetch()}
        isLoading={!invoice}
        loading={<PanelSkeleton text="Loading invoice..." />}
        isEmpty={false}
        empty={null}
      >
        {invoice && (
          <>
            <PanelActs invoice={invoice} isSuper={isSuper} onAct={onAct} onNotify={onNotify} />
            <Figures invoice={invoice} isSuper={isSuper} />
            <PanelSection title="How the amount is made">
              <Basis invoice={invoice} />
            </PanelSection>
            <PanelSection title="Split">
              <Split invoice={invoice} />
            </PanelSection>
            {invoice.basis.kind === 'positions' && <Positions key={id} invoice={invoice} />}
            <PanelSection title="Payments">
              <Payments invoice={invoice} explorerUrl={explorerUrl} />
            </PanelSection>
            {timeline}
            {notes}
            <MessagesSection invoiceId={id} isSuper={isSuper} />
          </>
        )}
      </QueryState>
    </SidePanel>
  );
}
