import { onlyReads, type Venue } from '../venue.ts';
import { readOkxEquity, readOkxIdentity, readOkxKeyInfo } from './okx-account.ts';
import { createOkxContracts } from './okx-contracts.ts';
import { OKX, OKX_REGIONS, okxLimits } from './okx-endpoints.ts';
import { okxErrors } from './okx-errors.ts';
import { readOkxHistory } from './okx-history.ts';
import { readOkxPositionRows, toOkxPosition } from './okx-positions.ts';

/** OKX: perpetual and dated contracts of the trading account. */
export function createOkx(): Venue {
  const contracts = createOkxContracts();
  return {
    endpoints: OKX,
    errors: okxErrors,
    limits: okxLimits,
    regions: OKX_REGIONS,
    isAllowed: onlyReads,
    reader: {
      identify: async (session) => readOkxIdentity(await session.call(OKX.config)),
      equityUsd: async (session) => readOkxEquity(await session.call(OKX.balance)),
      async openPositions(session) {
        const rows = readOkxPositionRows(await session.call(OKX.positions));
        return await Promise.all(
          rows.map(async (row) => toOkxPosition(row, await contracts.find(session, row.instId))),
        );
      },
      closedPositions: (session, range, cursor) => readOkxHistory(session, contracts, range, cursor),
      keyInfo: async (session) => readOkxKeyInfo(await session.call(OKX.config)),
    },
  };
}
