import type { InvoiceTab } from '@copydesk/domain/invoices';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { invalidate } from '../../../lib/api/read-again.ts';
import { endOffers, toast } from '../../../ui/feedback/toast-store.ts';
import { findCountError } from '../../../ui/form/typed-count.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import type { Invoice } from '../invoices-queries.ts';
import type { InvoiceNarrowing } from '../invoices-search.ts';
import { ownChanges } from '../list/use-groups-page.ts';
import { type Act, type ActKind, type ActPlan, OPPOSITE, typedCountOf } from './act.ts';
import { doneWords, failedTitle, WAITS_FOR_OTHER } from './act-texts.ts';
import { type ActKeys, newActKeys, sendAct } from './send-act.ts';

/** After the reader's own action the lists and open panels are read again, and rows may move. */
export function readInvoicesAgain(client: QueryClient): void {
  ownChanges.set(ownChanges.get() + 1);
  void invalidate(client, { queryKey: invoicesKeys.all });
}

/**
 * The form of an action, which takes a reason where something is written off. A repeat after a failure takes effect once,
 * because the keys are the dialog's: of each reason its own, since another body under the same key is refused.
 */
export function useActForm(
  { kind, chosen }: Act,
  { filters, plan }: { filters: InvoiceNarrowing & { tab: InvoiceTab }; plan: ActPlan | null },
  onDone: () => void,
) {
  const client = useQueryClient();
  const [keysByReason] = useState(() => new Map<string, ActKeys>());
  return useDialogForm({
    values: { reason: '', count: '' },
    findErrors: ({ count }) => findCountError(count, typedCountOf(plan)),
    send: async ({ reason }) => {
      const keys = keysByReason.get(reason) ?? newActKeys();
      keysByReason.set(reason, keys);
      return { ...(await sendAct(kind, { chosen, plan }, filters, keys, reason)), plan };
    },
    done: () => null,
    onDone: ({ changed, waiting, plan: confirmed }) => {
      endOffers('invoices');
      const isKnown = confirmed?.canUndo && confirmed.count === changed && changed > 0;
      if (waiting > 0) toast({ tone: 'neutral', ...WAITS_FOR_OTHER });
      const undo = () => void sendBack(client, OPPOSITE[kind], confirmed?.changing ?? []);
      if (waiting === 0 || changed > 0)
        toast({
          tone: 'positive',
          ...doneWords(kind, changed),
          ...(isKnown ? { action: { label: 'Undo', of: 'invoices', onSelect: undo } } : {}),
        });
      readInvoicesAgain(client);
      onDone();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'selection_changed') return;
      // The invoices have changed since, so there is nothing left to confirm.
      toast({ tone: 'negative', title: failedTitle(kind), text: messageOf(error) });
      readInvoicesAgain(client);
      onDone();
    },
    refusal: (error) => `${failedTitle(kind)}: ${messageOf(error)}`,
  });
}

const UNDONE = 'Undone';
const UNFILTERED = { tab: 'all' } as const;

async function sendBack(client: QueryClient, kind: ActKind, invoices: readonly Invoice[]): Promise<void> {
  try {
    const { changed, waiting } = await sendAct(
      kind,
      { chosen: { groups: [], invoices, allBut: null }, plan: null },
      UNFILTERED,
      newActKeys(),
      UNDONE,
    );
    toast(
      waiting > 0
        ? { tone: 'neutral', ...WAITS_FOR_OTHER }
        : { tone: 'positive', ...doneWords(kind, changed) },
    );
  } catch (error) {
    toast({ tone: 'negative', title: failedTitle(kind), text: messageOf(error) });
  }
  readInvoicesAgain(client);
}
