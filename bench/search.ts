import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { reportInTurns, type Side } from './support/in-turns.ts';
import { startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const SIZES = [1_000, 100_000];

/** The search of everything, small and large, for a super admin, staff of one provider and of three. */
export async function benchSearch(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const sides: Side[] = [];
  for (const traders of SIZES) {
    console.log(`loading ${traders} traders`);
    const databaseUrl = await benchDatabase(ownerUrl, traders, { hasHistory: true });
    sides.push({ api: await startApi(databaseUrl, dataDir), paths: await textsOf(databaseUrl) });
  }
  const [small, large] = sides as [Side, Side];
  try {
    for (const as of ['super', 'staff', 'staff-multi'] as const) {
      const paths = ({ paths: texts }: Side) =>
        Object.fromEntries(
          Object.entries(texts).map(([what, text]) => [
            `${as}: ${what}`,
            `/api/search?q=${encodeURIComponent(text)}`,
          ]),
        );
      const of = (side: Side) => ({ ...side, as, paths: paths(side) });
      await reportInTurns({ small: of(small), large: of(large) }, report, '≤ 3 times, p95 ≤ 100 ms');
    }
  } finally {
    await Promise.all(sides.map(({ api }) => api.stop()));
  }
}

/** What people look for, by what it names. */
async function textsOf(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const one = async (select: string) => {
    const { rows } = await client.query<{ text: string }>(`SELECT ${select} LIMIT 1`);
    return rows[0]?.text ?? '';
  };
  try {
    await client.query("SET copydesk.scope = 'all'");
    return {
      'a reference number': await one(
        `reference_number AS text FROM trader WHERE reference_number IS NOT NULL`,
      ),
      'a part that every reference number has': 'kait',
      'a part of names': 'ali',
      'two letters': 'an',
      'an e-mail address': await one(`email AS text FROM trader WHERE email IS NOT NULL`),
      'an exchange account': await one(`acc_uid AS text FROM exchange_account WHERE removed_at IS NULL`),
      'an address': await one(`deposit_address AS text FROM trader WHERE deposit_address IS NOT NULL`),
      'an invoice': await one(`id::text AS text FROM invoice`),
      'an amount': await one(
        `trim_scale(amount_units / 1e18)::text AS text FROM invoice WHERE (amount_units / 1e18) % 1 <> 0`,
      ),
      'the hash of a payout': await one(
        `distribute_transaction_hash AS text FROM payout WHERE distribute_transaction_hash IS NOT NULL`,
      ),
      'a recipient': await one(`recipient_address AS text FROM payout`),
      'a community': await one(`name AS text FROM community`),
      nothing: 'no such thing',
    };
  } finally {
    await client.end();
  }
}
