import { shortId } from '@copydesk/domain/money';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useIdentity, useSession } from '../../features/identity/identity-context.ts';
import type { Act } from '../../features/invoices/acts/act.ts';
import { ActDialog } from '../../features/invoices/acts/act-dialog.tsx';
import { NotifyDialog } from '../../features/invoices/acts/notify-dialog.tsx';
import { invoicesKeys } from '../../features/invoices/invoices-keys.ts';
import type { Invoice } from '../../features/invoices/invoices-queries.ts';
import { filtersFrom } from '../../features/invoices/invoices-search.ts';
import { InvoiceBadges } from '../../features/invoices/list/mark-badges.tsx';
import { ChargedPositions } from '../../features/invoices/page/charged-positions.tsx';
import { PdfButton } from '../../features/invoices/page/pdf-button.tsx';
import { Basis } from '../../features/invoices/panel/basis.tsx';
import { Figures } from '../../features/invoices/panel/figures.tsx';
import { invoiceQuery } from '../../features/invoices/panel/invoice-query.ts';
import { MessagesPanel } from '../../features/invoices/panel/messages.tsx';
import { PanelActs } from '../../features/invoices/panel/panel-acts.tsx';
import { Payments } from '../../features/invoices/panel/payments.tsx';
import { Split } from '../../features/invoices/panel/split.tsx';
import { NotesPanel } from '../../features/notes/notes.tsx';
import { TimelinePanel } from '../../features/timeline/timeline.tsx';
import { listName } from '../../lib/format/trader-name.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RecordProblem } from '../../ui/feedback/record-problem.tsx';
import { Name } from '../../ui/figures/linked.tsx';
import { ToStatement } from '../../ui/figures/to-statement.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { BackTo } from './back-to.tsx';

/** Of acts that name their invoices: no filter of a list applies. */
const NO_FILTERS = filtersFrom({});

/** Everything about one invoice: what it is made from, its positions, its money, and what was written of it. */
export default function InvoiceScreen() {
  const { invoiceId: id } = useParams({ from: '/console/invoices/$invoiceId' });
  const { data: invoice, error, refetch } = useQuery(invoiceQuery(id));
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  const explorerUrl = useIdentity().config.explorer_url;
  const [act, setAct] = useState<Act | null>(null);
  const [notified, setNotified] = useState<Invoice['trader'] | null>(null);
  usePageTitle(`Invoice ${shortId(id)}`);
  if (error && !invoice)
    return (
      <RecordProblem
        error={error}
        missing={{
          title: 'Invoice not found',
          text: 'It may have been deleted, or you may not have access to it.',
        }}
        failed="Error loading invoice"
        onRetry={() => void refetch()}
      >
        <BackTo to="/invoices" look="outline">
          Invoices
        </BackTo>
      </RecordProblem>
    );
  if (!invoice) return <Loading text="Loading invoice..." />;
  return (
    <Page>
      <PageHeader
        back={<BackTo to="/invoices">Invoices</BackTo>}
        title={
          <>
            Invoice <span className="font-mono text-base">{shortId(id)}</span>
          </>
        }
        facts={
          <>
            <bdi className="min-w-0 truncate">
              <Name to={{ to: '/trader/$traderId', params: { traderId: invoice.trader_id } }}>
                {listName(invoice.trader)}
              </Name>
            </bdi>
            {invoice.trader.reference_number && (
              <span className="font-mono text-sm text-muted">{invoice.trader.reference_number}</span>
            )}
            <InvoiceBadges invoice={invoice} />
          </>
        }
        actions={
          <>
            <Link
              to="/invoices"
              search={{ invoice: id }}
              className="rounded px-1 font-medium text-accent hover:underline"
            >
              Show in the list
            </Link>
            {isSuper && <ToStatement kind="invoice" id={id} />}
            <PdfButton invoiceId={id} />
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="How the amount is made">
            <Basis invoice={invoice} />
          </Panel>
          {invoice.basis.kind === 'positions' && <ChargedPositions key={id} invoiceId={id} />}
          <TimelinePanel
            kind="invoice"
            id={id}
            under={invoicesKeys.detail(id)}
            money="usd"
            explorerUrl={explorerUrl}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Invoice" flush>
            <PanelActs
              invoice={invoice}
              isSuper={isSuper}
              onAct={setAct}
              onNotify={(trader) => setNotified(trader)}
            />
            <Figures invoice={invoice} isSuper={isSuper} />
          </Panel>
          <Panel title="Split">
            <Split invoice={invoice} />
          </Panel>
          <Panel title="Payments">
            <Payments invoice={invoice} explorerUrl={explorerUrl} />
          </Panel>
          <NotesPanel subject={{ subject_kind: 'invoice', subject_id: id }} isSuper={isSuper} />
          <MessagesPanel invoiceId={id} isSuper={isSuper} />
        </div>
      </div>
      {act && (
        <ActDialog act={act} filters={NO_FILTERS} onClose={() => setAct(null)} onDone={() => setAct(null)} />
      )}
      {notified && <NotifyDialog trader={notified} onClose={() => setNotified(null)} />}
    </Page>
  );
}
