import { randomUUID } from 'node:crypto';
import {
  accountKey,
  balanceChange,
  consolidated,
  depositReceived,
  distributed,
  invoiceIssued,
  invoicePaid,
  type JournalDraft,
  LedgerError,
  type LedgerInvoice,
  ledgerAccount,
} from '@copydesk/domain/ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../../../../../tests/support/long-test.ts';
import {
  createLedgerWorld,
  type LedgerWorld,
  makeInvoice,
  source,
} from '../../../../../tests/support/world/ledger-world.ts';
import { balanceOf, expectSound } from '../../../../../tests/support/world/sound-ledger.ts';
import { postJournal } from './ledger.service.ts';
import { reserve, voidReservations } from './reservations.service.ts';
import { takeBack } from './reversals.service.ts';

const CONNECTIONS = 20;
const SEQUENCES = isLong ? 300 : 60;
const STEPS = 6;

let world: LedgerWorld;
beforeAll(async () => {
  world = await createLedgerWorld({ maxConnections: CONNECTIONS });
});
afterAll(() => world.close());

/** Numbers that are the same for the same seed (mulberry32). */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (n: number) => Math.floor(next() * n),
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
  };
}

// Few accounts and many who want them, so that everybody is in everybody's way.
const traders = Array.from({ length: 4 }, () => randomUUID());
const communities = Array.from({ length: 2 }, () => randomUUID());
const invoices: LedgerInvoice[] = traders.flatMap((traderId) => [
  makeInvoice({ traderId, amountUnits: 1000n, split: [{ recipientType: 'mark', amountUnits: 1000n }] }),
  makeInvoice({ traderId, amountUnits: 60n, split: [{ recipientType: 'mark', amountUnits: 60n }] }),
]);

/** What was acknowledged, added up here and not there. */
const expected = new Map<string, bigint>();
const counts = { posted: 0, refused: 0, posts: 0, voids: 0, raced: 0, reversed: 0 };

function acknowledge(draft: JournalDraft, sign = 1n): void {
  counts.posted += 1;
  for (const posting of draft.postings) {
    const key = accountKey(posting.account);
    expected.set(key, (expected.get(key) ?? 0n) + sign * balanceChange(posting));
  }
}

/** On a busy machine even the last attempt may be chosen to end a deadlock: it leaves no trace. */
const isDeadlock = (error: unknown) => (error as { code?: string }).code === '40P01';

/** Does what may be refused for want of money or because another one was faster; anything else is a failure. */
async function attempt(work: Promise<unknown>, then: () => void): Promise<boolean> {
  try {
    await work;
    then();
    return true;
  } catch (error) {
    if (isDeadlock(error)) return false;
    if (!(error instanceof LedgerError)) throw error;
    expect(['overdrawn', 'reservation_ended', 'not_newest']).toContain(error.code);
    counts.refused += 1;
    return false;
  }
}

async function tellSequence(seed: number): Promise<void> {
  const random = createRandom(seed);
  for (let step = 0; step < STEPS; step += 1) {
    const [traderId, communityId, invoice] = [
      random.pick(traders),
      random.pick(communities),
      random.pick(invoices),
    ];
    const units = BigInt(1 + random.below(50));
    const pay = (recipient = invoice) =>
      distributed(communityId, [{ ...recipient, recipientType: 'mark', units }], source('payout'));
    const act = random.below(8);
    if (act === 0 || act === 1) {
      const draft = depositReceived(traderId, units * 2n, source('deposit'));
      await attempt(world.post(draft), () => acknowledge(draft));
    } else if (act === 2) {
      const draft = consolidated(
        communityId,
        [
          { traderId, units },
          { traderId: random.pick(traders), units },
        ],
        source(),
      );
      await attempt(world.post(draft), () => acknowledge(draft));
    } else if (act === 3) {
      const draft = invoicePaid(invoice, { paidUnits: 0n, units, source: source('deposit') });
      if (units < invoice.amountUnits) await attempt(world.post(draft), () => acknowledge(draft));
    } else if (act === 4 && random.below(8) === 0) {
      // Two journals one after the other in one transaction: locks in no common order. Some are deadlocks, a second each.
      const [one, two] = [traderId, random.pick(traders)].map((id) =>
        depositReceived(id, units, source('deposit')),
      );
      const both = world.write(async (tx) => {
        await postJournal(tx, one as JournalDraft);
        await postJournal(tx, two as JournalDraft);
      });
      await attempt(both, () => {
        for (const draft of [one, two]) acknowledge(draft as JournalDraft);
      });
    } else if (act === 5) {
      const draft = depositReceived(traderId, units, source('deposit'));
      const posting = world.post(draft);
      if (!(await attempt(posting, () => acknowledge(draft)))) continue;
      const [posted] = await posting;
      const back = world.write((tx) => takeBack(tx, posted?.id as string));
      if (await attempt(back, () => acknowledge(draft, -1n))) counts.reversed += 1;
    } else if (act > 5) {
      // Everybody who holds the reservation wants to end it, in both ways, at once.
      const account = ledgerAccount.payable(invoice, 'mark');
      let ids: string[] = [];
      const reserved = world.write((tx) => reserve(tx, source(), [{ account, units }]));
      if (
        !(await attempt(
          reserved.then((made) => (ids = made)),
          () => {},
        ))
      )
        continue;
      const [one, two] = [pay(), pay()];
      const ends = await Promise.all([
        attempt(
          world.write((tx) => postJournal(tx, one, ids)),
          () => acknowledge(one),
        ),
        attempt(
          world.write((tx) => postJournal(tx, two, ids)),
          () => acknowledge(two),
        ),
        attempt(
          world.write((tx) => voidReservations(tx, ids)),
          () => {},
        ),
      ]);
      expect(ends.filter(Boolean).length).toBeLessThanOrEqual(1);
      if (ends[2]) counts.voids += 1;
      else if (ends[0] || ends[1]) counts.posts += 1;
      else await world.write((tx) => voidReservations(tx, ids));
      counts.raced += 1;
    }
  }
}

test(`${SEQUENCES} random sequences over ${CONNECTIONS} connections: nothing lost, nothing overdrawn, nothing twice`, {
  timeout: 120_000,
}, async () => {
  const start: JournalDraft[] = [
    ...invoices.map(invoiceIssued),
    ...traders.map((id) => depositReceived(id, 3000n, source('deposit'))),
    ...traders.map((traderId) =>
      consolidated(communities[0] as string, [{ traderId, units: 1000n }], source()),
    ),
    ...invoices
      .filter(({ amountUnits }) => amountUnits === 1000n)
      .map((invoice) => invoicePaid(invoice, { paidUnits: 0n, units: 1000n, source: source('deposit') })),
  ];
  for (const draft of start) {
    await world.post(draft);
    acknowledge(draft);
  }
  const waiting = Array.from({ length: SEQUENCES }, (_, index) => index);
  const beganAt = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let seed = waiting.pop(); seed !== undefined; seed = waiting.pop()) await tellSequence(seed);
    }),
  );
  const seconds = (performance.now() - beganAt) / 1000;
  await expectSound(world);
  const balances = await world.asOwner<{ key: string; posted: string }>(
    `SELECT concat_ws(' ', kind, owner_id, asset) AS key, posted FROM ledger_balance JOIN ledger_account ON id = account_id`,
  );
  for (const { key, posted } of balances) expect(BigInt(posted), key).toBe(expected.get(key) ?? 0n);
  console.info(`${JSON.stringify(counts)}, ${Math.round(counts.posted / seconds)} journals/s`);
  // Each of them happened; how often depends on who came first.
  expect(Math.min(counts.posts, counts.voids, counts.refused, counts.reversed)).toBeGreaterThan(0);
});

test('a deadlock is run again, and both are done', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  const arrived: (() => void)[] = [];
  /** Waits for the other one, the first time. */
  const meet = () => {
    const both = new Promise<void>((resolve) => void arrived.push(resolve));
    if (arrived.length >= 2) for (const go of arrived) go();
    return both;
  };
  let runs = 0;
  const inOrder = (first: string, second: string) =>
    world.write(async (tx) => {
      runs += 1;
      await postJournal(tx, depositReceived(first, 1n, source('deposit')));
      await meet();
      await postJournal(tx, depositReceived(second, 1n, source('deposit')));
    });
  await world.post(depositReceived(a, 1n, source('deposit')), depositReceived(b, 1n, source('deposit')));
  await Promise.all([inOrder(a, b), inOrder(b, a)]);
  expect(runs).toBe(3);
  expect(await balanceOf(world, ledgerAccount.depositWallet(a))).toBe(3n);
  expect(await balanceOf(world, ledgerAccount.depositWallet(b))).toBe(3n);
});
