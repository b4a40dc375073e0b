import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createWalletKeys } from '../../apps/server/src/integrations/chain/wallet-keys.ts';
import { type Owing, type OwingWorld, whileMining } from '../support/owing-world.ts';

/** Every third recipient has shares at two deposit addresses: a freeze of one does not hold up the other. */
const SHARED = 3;
/** Whole tokens of an imported part payment, and those found on the chain where some are missing. */
const PART_PAID = 3;
const PART_FOUND = 1;

/**
 * Traders with imported payments whose books payers have to open: their payments are owed to this many recipients, and
 * each trader has also paid part of another invoice. For every second trader the chain has less than was imported.
 */
export async function importDebts(
  world: OwingWorld,
  { communityId }: Owing,
  recipients: number,
  traders: number,
): Promise<void> {
  const keys = createWalletKeys(world.seed);
  const client = new pg.Client({ connectionString: world.databaseUrl, options: '-c copydesk.scope=all' });
  await client.connect();
  try {
    // Payers see the rows together with the tokens: earlier, nothing would back the imported payments.
    await client.query('BEGIN');
    const added = await client.query<{ id: string; index: number }>(
      `INSERT INTO trader (community_id, selected_provider_id, referral_code, books_opened_at)
       SELECT $1, $2, gen_random_uuid(), NULL FROM generate_series(1, $3) RETURNING id, deposit_index AS index`,
      [communityId, world.provider, traders],
    );
    const ids = added.rows.map(({ id }) => id);
    const addresses = added.rows.map(({ index }) => keys.addressOf({ role: 'deposit', keyIndex: index }));
    await client.query(
      `UPDATE trader t SET deposit_address = n.address FROM unnest($1::uuid[], $2::text[]) AS n (id, address)
       WHERE t.id = n.id`,
      [ids, addresses],
    );
    const tokens = new Map(addresses.map((address) => [address, 0n]));
    const add = (at: number, units: bigint) => {
      const address = addresses[at % traders] as string;
      tokens.set(address, (tokens.get(address) ?? 0n) + units);
    };
    const invoice = async (at: number, to: string, amount: bigint, paid: bigint) => {
      const isPaid = amount === paid;
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO invoice (trader_id, community_id, provider_id, amount_units, paid_units, status, settled_by,
           payment_address, commission_rate, split, due_at, paid_at, created_at)
         VALUES ($1, $2, $3, $4::numeric, $5, $6::text, $7, $8, 0.5,
           jsonb_build_array(jsonb_build_object('recipient_type', 'trader_referrer', 'units', $4::numeric::text)), now(),
           CASE WHEN $6::text = 'paid' THEN now() END, now() - make_interval(days => $9::int)) RETURNING id`,
        [
          ids[at % traders],
          communityId,
          world.provider,
          amount.toString(),
          paid.toString(),
          isPaid ? 'paid' : 'pending',
          isPaid ? 'chain' : null,
          addresses[at % traders],
          isPaid ? 1 : 0,
        ],
      );
      if (isPaid)
        await client.query(
          `INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, recipient_address, amount_units)
           VALUES ($1, $2, $3, 'trader_referrer', $4, $5)`,
          [rows[0]?.id, communityId, world.provider, to, amount.toString()],
        );
    };
    const recipient = () => `0x${randomUUID().replaceAll('-', '').padEnd(40, '7')}`;
    for (let nth = 0; nth < recipients; nth++) {
      const to = recipient();
      for (const at of nth % SHARED === 0 ? [nth, nth + 1] : [nth]) {
        // Odd amounts, no two alike: the amount identifies the payment.
        const units = whole(1 + (nth % 7)) + BigInt(nth * 1_000 + at);
        await invoice(at, to, units, units);
        add(at, units);
      }
    }
    for (let at = 0; at < traders; at++) {
      await invoice(at, recipient(), whole(10), whole(PART_PAID));
      add(at, whole(at % 2 === 0 ? PART_PAID : PART_FOUND));
    }
    await whileMining(world.node, async () => {
      for (const [address, units] of tokens) await world.token.mint(address as `0x${string}`, units);
    });
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** How many part payments were opened, and how many of them more than once or not for the amount on the chain. */
export async function countOpenings({ rows }: OwingWorld): Promise<{ opened: number; wrong: number }> {
  const [row] = await rows<{ opened: number; wrong: number }>(
    `SELECT count(*)::int AS opened,
       count(*) FILTER (WHERE issued <> 1 OR coalesce(missing, 0) NOT IN (0, $1::numeric))::int
         + abs(count(*) FILTER (WHERE missing > 0) * 2 - count(*))::int AS wrong
     FROM (SELECT i.off_platform_units AS missing, (SELECT count(*) FROM journal j WHERE j.source_type = 'invoice'
             AND j.source_id = i.id::text AND j.kind = 'invoice_issued') AS issued
           FROM invoice i WHERE i.paid_units > 0 AND i.paid_units < i.amount_units) parts`,
    [whole(PART_PAID - PART_FOUND).toString()],
  );
  return row ?? { opened: 0, wrong: 0 };
}

const whole = (tokens: number) => BigInt(tokens) * 10n ** 18n;
