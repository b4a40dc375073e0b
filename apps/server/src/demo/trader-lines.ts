import { setImmediate as turn } from 'node:timers/promises';
import {
  type createDirectory,
  createHistory,
  createTrader,
  type DemoTrader,
} from '@copydesk/simulators/world';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { type Cell, prepareLines } from './copy-rows.ts';
import { CREDENTIAL_COLUMNS, credentialRows } from './rows/credentials.ts';
import { INVOICE_COLUMNS, invoiceRow, POSITION_COLUMNS, positionRow } from './rows/history.ts';
import { OPEN_POSITION_COLUMNS, openPositionRows } from './rows/open-positions.ts';
import {
  ACCOUNT_COLUMNS,
  accountRows,
  HOLDER_COLUMNS,
  holderRows,
  TRADER_COLUMNS,
  traderRows,
} from './rows/traders.ts';

export interface World {
  count: number;
  hour: Date;
  readAt: Date;
  hasHistory: boolean;
  keyring: Keyring | undefined;
}

/** Rows of a table in COPY's format. */
export interface TableLines {
  table: string;
  columns: readonly string[];
  lines: Buffer[];
}

/** Traders between two turns of the event loop, in which PostgreSQL gets what was prepared before. */
const AT_ONCE = 20;

/**
 * Generates traders with all that they have.
 * @param from number of the first; fewer come where the world ends
 */
export async function prepareTraders(
  world: World,
  directory: ReturnType<typeof createDirectory>,
  depositAddress: (index: number) => string | null,
  from: number,
  count: number,
): Promise<TableLines[]> {
  const tables = new Map<string, TableLines>();
  const add = (table: string, columns: readonly string[], rows: Iterable<readonly Cell[]>) => {
    const entry = tables.get(table) ?? { table, columns, lines: [] };
    tables.set(table, entry);
    for (const lines of prepareLines(rows)) entry.lines.push(lines);
  };
  const { hour, readAt, hasHistory, keyring } = world;
  const end = Math.min(from + count, world.count + 1);
  for (let first = from; first < end; first += AT_ONCE) {
    const traders = Array.from({ length: Math.min(AT_ONCE, end - first) }, (_, n) =>
      createTrader(first + n, directory, hour),
    );
    add('trader', TRADER_COLUMNS, traderRows(traders, readAt, depositAddress));
    add('open_position', OPEN_POSITION_COLUMNS, openPositionRows(traders, hour, readAt));
    add('exchange_account', ACCOUNT_COLUMNS, accountRows(traders, readAt, keyring !== undefined));
    add('account_holder', HOLDER_COLUMNS, holderRows(traders));
    if (keyring) add('exchange_credential', CREDENTIAL_COLUMNS, credentialRows(traders, keyring));
    if (hasHistory) addHistory(traders);
    await turn();
  }
  return [...tables.values()];

  function addHistory(traders: DemoTrader[]): void {
    // A history is generated only once, because that is expensive.
    const histories = traders.map((trader) => ({
      trader,
      ...createHistory(trader, directory.providers, hour),
    }));
    add(
      'invoice',
      INVOICE_COLUMNS,
      histories.flatMap(({ trader, invoices }) =>
        invoices.map((invoice) => invoiceRow(trader, invoice, depositAddress)),
      ),
    );
    add(
      'closed_position',
      POSITION_COLUMNS,
      histories.flatMap(({ trader, positions }) =>
        positions.map((position) => positionRow(trader, position)),
      ),
    );
  }
}
