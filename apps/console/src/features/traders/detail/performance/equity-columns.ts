import { type DrawdownPoint, formatSignedPercent, formatUsd } from '@copydesk/domain';

/** What the table beside the chart shows of a day. */
export const EQUITY_COLUMNS = [
  { header: 'Equity', textOf: ({ equity }: DrawdownPoint) => formatUsd(equity) },
  { header: 'Drawdown', textOf: ({ drawdown }: DrawdownPoint) => formatSignedPercent(drawdown) },
];
