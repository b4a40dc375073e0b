import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from './database.ts';

/**
 * The condition that a provider column is in the caller's scope. Views and stores use it beside the policies of
 * row-level security: either of the two alone keeps foreign rows out.
 */
export function providerInScope(tx: AnyTx, column: string): RawBuilder<boolean> {
  if (tx.scope.kind === 'all' || !tx.filtersScope) return sql<boolean>`true`;
  const [first, ...others] = tx.scope.providerIds;
  // Equality keeps the order of an index, which a list of values does not.
  if (first && others.length === 0) return sql<boolean>`${sql.ref(column)} = ${first}::uuid`;
  return sql<boolean>`${sql.ref(column)} = ANY (${[...tx.scope.providerIds]}::uuid[])`;
}

/** The condition that a provider in scope sees a trader, by its id column. */
export function traderInScope(tx: AnyTx, idColumn: string): RawBuilder<boolean> {
  if (tx.scope.kind === 'all' || !tx.filtersScope) return sql<boolean>`true`;
  return sql<boolean>`EXISTS (SELECT FROM trader_provider seen WHERE seen.trader_id = ${sql.ref(idColumn)}
    AND seen.provider_id = ANY (${[...tx.scope.providerIds]}::uuid[]))`;
}

/** The condition that a community, by its id column, is linked to a provider in scope. */
export function communityInScope(tx: AnyTx, idColumn: string): RawBuilder<boolean> {
  if (tx.scope.kind === 'all' || !tx.filtersScope) return sql<boolean>`true`;
  return sql<boolean>`EXISTS (SELECT FROM community_provider linked WHERE linked.community_id = ${sql.ref(idColumn)}
    AND linked.provider_id = ANY (${[...tx.scope.providerIds]}::uuid[]))`;
}
