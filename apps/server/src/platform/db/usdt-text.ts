import { type RawBuilder, sql } from 'kysely';

/** Base units (10^-18 USDT) in SQL as the decimal text of the wire, without trailing zeros; NULL stays NULL. */
export const usdt = (units: RawBuilder<unknown>) => sql`trim_scale(${units} * 0.000000000000000001)::text`;
