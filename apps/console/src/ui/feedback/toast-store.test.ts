import { beforeEach, expect, test } from 'vitest';
import { endOffers, toast, toasts } from './toast-store.ts';

// Tests of one run share the store.
beforeEach(() => toasts.set([]));

test('what an older toast offers ends with the next act, and the toast stays', () => {
  toast({
    tone: 'positive',
    title: 'Marked as paid',
    action: { label: 'Undo', of: 'invoices', onSelect: () => {} },
  });
  toast({ tone: 'neutral', title: 'View deleted', action: { label: 'Undo', onSelect: () => {} } });
  endOffers('invoices');
  toast({ tone: 'positive', title: 'Archived', action: { label: 'Undo', onSelect: () => {} } });
  expect(toasts.get().map(({ title, action }) => [title, action?.label])).toEqual([
    ['Marked as paid', undefined],
    ['View deleted', 'Undo'],
    ['Archived', 'Undo'],
  ]);
});
