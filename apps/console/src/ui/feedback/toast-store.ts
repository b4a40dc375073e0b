import { createStore } from '../../lib/store.ts';

/** At most this many at once; the oldest one is removed. */
const TOAST_LIMIT = 5;

export interface ToastItem {
  id: number;
  tone: 'neutral' | 'positive' | 'negative';
  title: string;
  text?: string;
  /** An action offered while the message is shown. */
  action?: {
    label: string;
    onSelect(): void;
    /** What it would undo: `endOffers` of the same ends it. */
    of?: string;
  };
}

export const toasts = createStore<readonly ToastItem[]>([]);
let lastId = 0;

export function toast(item: Omit<ToastItem, 'id'>): void {
  lastId += 1;
  toasts.set([...toasts.get(), { ...item, id: lastId }].slice(-TOAST_LIMIT));
}

/** Takes back what toasts still offer, once another act has changed what they would undo. */
export function endOffers(of: string): void {
  toasts.set(
    toasts.get().map(({ action, ...item }) => (action && action.of !== of ? { ...item, action } : item)),
  );
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((item) => item.id !== id));
}
