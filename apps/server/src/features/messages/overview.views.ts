import { type FigureSource, sumOfItems } from '../../core/overview/figure-source.ts';
import { failedMessages, unreachedOwners } from './attention.views.ts';

/** Messages that reached neither traders nor, for super admins, owners of communities. */
export const notDelivered: FigureSource = {
  rows: (tx) =>
    sumOfItems(tx, [{ of: failedMessages }, ...(tx.scope.kind === 'all' ? [{ of: unreachedOwners }] : [])]),
};
