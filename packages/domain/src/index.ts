// Lists shared by all packages, business defaults, and rules of access and authentication.
export * from './access/approval-limit.ts';
export * from './access/four-eyes.ts';
export * from './access/permissions.ts';
export * from './access/recent-authentication.ts';
export * from './access/revealing.ts';
export * from './business-defaults.ts';
export * from './catalogue.ts';
// Invoices and their split.
export * from './invoices/community-split.ts';
export * from './invoices/invoice-badges.ts';
export * from './invoices/invoices.ts';
export * from './invoices/invoicing.ts';
export * from './invoices/payments.ts';
export * from './invoices/split.ts';
export * from './ledger/ledger.ts';
// Journals of all movements of money.
export * from './ledger/ledger-accounts.ts';
export * from './ledger/ledger-chain.ts';
export * from './ledger/ledger-error.ts';
export * from './ledger/ledger-invoice.ts';
export * from './ledger/opening.ts';
// Messages to traders.
export * from './messages/message-plan.ts';
export * from './messages/messages.ts';
// Exact amounts, their formats, and addresses.
export * from './money/decimals.ts';
export * from './money/format.ts';
export * from './money/shown-parts.ts';
export * from './money/token-units.ts';
export * from './money/wallet-address.ts';
// Payouts and their transfers on chain.
export * from './payouts/distribution-progress.ts';
export * from './payouts/payout-period.ts';
export * from './payouts/payout-steps.ts';
export * from './payouts/payouts.ts';
export * from './payouts/transfers.ts';
// Status and VIP tiers of traders.
export * from './traders/trader-status.ts';
export * from './traders/vip.ts';
// Positions, profit and loss, and when accounts are read.
export * from './trading/credentials.ts';
export * from './trading/drawdown.ts';
export * from './trading/exchange-problems.ts';
export * from './trading/pnl-calendar.ts';
export * from './trading/position-figures.ts';
export * from './trading/position-format.ts';
export * from './trading/position-groups.ts';
export * from './trading/position-side.ts';
export * from './trading/reading-plan.ts';
