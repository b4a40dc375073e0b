import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { AnswerEvent, HistoryEvent } from './history.ts';
import { findListProblems } from './list-order.ts';

// node check-history.ts <file>...: compares what actors were told with what a database and a chain have, and prints what
// differs. It reads both by itself: nothing of the product is used, which may be what is wrong.
const { DATABASE_URL = '', RPC_URL = '', TOKEN_ADDRESS = '' } = process.env;

const events = process.argv
  .slice(2)
  .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  // The last line of one who was killed may be half.
  .filter((line) => line.endsWith('}'))
  .map((line) => JSON.parse(line) as HistoryEvent);

const client = new pg.Client({ connectionString: DATABASE_URL });
await client.connect();
const rows = async <R extends pg.QueryResultRow>(text: string) => (await client.query<R>(text)).rows;

let asked = 0;
async function ask<T>(method: string, ...params: unknown[]): Promise<T> {
  asked += 1;
  const answer = await fetch(RPC_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }),
  });
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

/** keccak256('Transfer(address,address,uint256)'). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const told = (kind: AnswerEvent['kind'], outcome: AnswerEvent['outcome']) =>
  events.flatMap((event) => (event.kind === kind && event.outcome === outcome ? event.facts : []));

async function findListsProblems() {
  const final = await rows<{ list: number; items: string[] }>('SELECT list, items FROM chaos.list');
  return findListProblems(
    events.flatMap((event) => (event.kind === 'lists' ? [event] : [])),
    new Map(final.map(({ list, items }) => [list, items.map(Number)])),
  );
}

async function findNoteProblems() {
  const written = await rows<{ text: string; count: number }>(
    'SELECT text, count(*)::int AS count FROM note GROUP BY 1',
  );
  const counts = new Map(written.map(({ text, count }) => [text, count]));
  return {
    notes: told('note', 'done').length,
    lostNotes: told('note', 'done').filter((text) => !counts.has(text)).length,
    doubledNotes: written.filter(({ count }) => count > 1).length,
  };
}

async function findPaymentProblems() {
  const payouts = await rows<{ community: string; to: string; units: string; status: string }>(
    `SELECT community_id AS community, lower(recipient_address) AS to, amount_units::text AS units, status FROM payout`,
  );
  const ordered = new Set(payouts.map(({ community }) => community));
  const logs = await ask<{ topics: string[]; data: string }[]>('eth_getLogs', {
    address: TOKEN_ADDRESS,
    topics: [TRANSFER],
    fromBlock: '0x0',
    toBlock: 'latest',
  });
  const received = Map.groupBy(logs, ({ topics }) => `0x${topics[2]?.slice(26)}`);
  const counts = { lostPayouts: 0, doubledPayouts: 0, wrongPayouts: 0, openPayouts: 0 };
  // Each payout of this load has a recipient of its own.
  for (const { to, units, status } of payouts) {
    const arrived = (received.get(to) ?? []).map(({ data }) => BigInt(data));
    if (status !== 'distributed') counts.openPayouts += 1;
    else if (arrived.length === 0) counts.lostPayouts += 1;
    if (arrived.length > 1) counts.doubledPayouts += 1;
    if (arrived.some((value) => value !== BigInt(units))) counts.wrongPayouts += 1;
  }
  return {
    payouts: payouts.length,
    lostOrders: told('payouts', 'done').filter((community) => !ordered.has(community)).length,
    ...counts,
  };
}

async function findChainProblems() {
  const wallets = await rows<{ address: string; role: string; frozen: string | null }>(
    'SELECT lower(address) AS address, role, frozen_because AS frozen FROM chain_wallet',
  );
  const ours = new Set(wallets.map(({ address }) => address));
  const known = new Set(
    (await rows<{ hash: string }>('SELECT hash FROM transfer_attempt')).map(({ hash }) => hash),
  );
  const head = Number(await ask<string>('eth_blockNumber'));
  let chainTransactions = 0;
  let unknownTransactions = 0;
  for (let number = 0; number <= head; number += 1) {
    const block = await ask<{ transactions: { from: string; hash: string }[] }>(
      'eth_getBlockByNumber',
      `0x${number.toString(16)}`,
      true,
    );
    for (const { from, hash } of block.transactions) {
      if (!ours.has(from.toLowerCase())) continue;
      chainTransactions += 1;
      if (!known.has(hash)) unknownTransactions += 1;
    }
  }
  const [books] = await rows<{ sum: string; differing: number }>(
    `SELECT (SELECT coalesce(sum(amount), 0)::text FROM posting) AS sum,
       (SELECT count(*)::int FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id
         WHERE b.posted <> a.side * (SELECT coalesce(sum(p.amount), 0) FROM posting p WHERE p.account_id = a.id))
         AS differing`,
  );
  return {
    chainTransactions,
    unknownTransactions,
    frozenWallets: wallets.filter(({ frozen }) => frozen !== null).length,
    sumOfPostings: Number(books?.sum),
    wrongBalances: books?.differing ?? 0,
  };
}

const found = {
  ...(await findListsProblems()),
  ...(await findNoteProblems()),
  ...(await findPaymentProblems()),
  ...(await findChainProblems()),
};
await client.end();
console.log(JSON.stringify(found));
