import type { CallParsed } from '@copydesk/contract';
import { statementAccounts } from '@copydesk/domain/ledger';
import type { AnyTx, Database } from '../../platform/db/database.ts';
import { type StreamOptions, streamRows } from '../../platform/db/stream.ts';
import { type CsvColumns, sendCsv } from '../../platform/http/csv.ts';
import { fileName } from '../../platform/http/exported-list.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  findOwner,
  listBalances,
  ownerOf,
  readStatement,
  statementRows,
  sumNotBooked,
} from './statements.views.ts';

const DEFAULT_PAGE = 50;

const COLUMNS: CsvColumns = {
  at: 'Booked at (UTC)',
  kind: 'Kind',
  change: 'Change',
  balance: 'Balance after',
  invoice_id: 'Invoice',
  source_type: 'Fact',
  source_id: 'Fact id',
  actor_name: 'By',
  journal_id: 'Journal',
  reverses: 'Takes back journal',
};

interface StatementDeps {
  db: Database;
  stream: StreamOptions;
  now: () => Date;
}

type Asked = CallParsed<'GET /api/statements/export'>['query'];

/** Statements of the ledger: what an owner had when, and which movements led there. */
export function createStatementRoutes({
  db,
  stream,
  now,
}: StatementDeps): Pick<Handlers, `GET /api/statements${'' | '/balances' | '/export'}`> {
  /** @throws Refusal where there is no such owner in scope, or it has no accounts of that kind */
  async function find(
    tx: AnyTx,
    { owner_kind, owner_id, account }: Partial<Asked> & Pick<Asked, 'owner_kind'>,
  ) {
    const owner = ownerOf(owner_kind, owner_id);
    const name = owner && (await findOwner(tx, owner));
    if (!owner || name === null) throw new Refusal('not_found');
    if (account && !statementAccounts(owner_kind).includes(account)) throw new Refusal('not_found');
    return { owner, name };
  }

  return {
    'GET /api/statements/balances': async ({ query: { at, ...asked }, scope }) => ({
      success: true,
      data: await db.readAny(scope, async (tx) => {
        const { owner, name } = await find(tx, asked);
        return {
          owner: name,
          balances: await listBalances(tx, owner, at),
          not_booked: await sumNotBooked(tx, owner),
        };
      }),
    }),

    'GET /api/statements': async ({ query: { limit = DEFAULT_PAGE, offset = 0, ...asked }, scope }) => ({
      success: true,
      ...(await db.readAny(scope, async (tx) => {
        const { owner } = await find(tx, asked);
        return readStatement(tx, { ...asked, owner_id: owner.id }, { limit, offset });
      })),
    }),

    'GET /api/statements/export': async ({ query, scope, reply }) => {
      const { owner } = await db.read(scope, (tx) => find(tx, query));
      const rows = await streamRows(stream, scope, statementRows({ ...query, owner_id: owner.id }));
      return sendCsv(reply, rows, {
        filename: fileName(`statement-${query.owner_kind}-${query.account.replaceAll('_', '-')}`, now()),
        columns: COLUMNS,
      });
    },
  };
}
