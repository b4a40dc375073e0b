import { TYPED_COUNT_ABOVE_ROWS } from '@copydesk/domain/bulk';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { findCountError, TypedCount } from '../../../ui/form/typed-count.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { readInvoicesAgain } from '../acts/use-act.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import { invoicesWord, reachOf } from './run-texts.ts';
import type { LinesAnswer, RunDetail } from './runs-queries.ts';

interface SendDialogProps {
  run: RunDetail;
  sums: LinesAnswer['meta'];
  onClose(): void;
}

/** Asks before the invoices of a draft are sent. Sends the number and sum that the dialog opened with. */
export function SendDialog({ run, sums: { outcomes, unreachable }, onClose }: SendDialogProps) {
  const client = useQueryClient();
  const { invoices, amount } = run;
  const isTyped = invoices > TYPED_COUNT_ABOVE_ROWS;
  const form = useDialogForm({
    values: { count: '' },
    findErrors: ({ count }) => findCountError(count, isTyped ? invoices : null),
    send: (_, keyOf) => {
      const body = { invoices, amount };
      return call('POST /api/invoices/runs/{id}/send', {
        params: { id: run.id },
        body,
        idempotencyKey: keyOf(body),
      });
    },
    done: () => ({ title: `${invoicesWord(invoices)} on the way` }),
    reads: invoicesKeys.runs,
    onDone: () => {
      readInvoicesAgain(client);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Send ${invoicesWord(invoices)}`}
      text="Each is due from now on, and its trader is notified on Telegram. Traders who owe another amount by now are left to the next run."
      confirm={`Send ${invoicesWord(invoices)}`}
      busy="Sending..."
      leave="Cancel"
      onClose={onClose}
    >
      <Facts look="boxed">
        <Fact label="For">{reachOf(run)}</Fact>
        <Fact label="Traders">
          <Count n={outcomes.invoice.traders} plain="They are listed on the page" />
        </Fact>
        <Fact label="Amount" isTotal>
          <Money amount={amount} as="exact" />
        </Fact>
        {unreachable > 0 && (
          <Fact label="Cannot be told, without a Telegram ID">
            <Count n={unreachable} plain="The page lists them" />
          </Fact>
        )}
        {outcomes.excluded.traders > 0 && (
          <Fact label="Left out by hand">
            <Count n={outcomes.excluded.traders} plain="The page lists them" />:{' '}
            <Money amount={outcomes.excluded.amount} />
          </Fact>
        )}
      </Facts>
      {isTyped && <TypedCount wanted={invoices} of="invoices" />}
    </FormDialog>
  );
}

/** Asks before a draft is discarded: traders that were left out by hand go with it. */
export function DiscardDialog({ run, onClose }: { run: RunDetail; onClose(): void }) {
  const act = useAct({
    send: () => call('POST /api/invoices/runs/{id}/discard', { params: { id: run.id } }),
    done: () => ({ title: 'The draft is discarded' }),
    reads: invoicesKeys.runs,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Discard this draft"
      text="No trader is invoiced or notified. What has closed stays for the next run."
      confirm="Discard"
      busy="Discarding..."
      leave="Cancel"
      onClose={onClose}
      {...act}
    />
  );
}
