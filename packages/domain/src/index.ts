// The rules that other packages use, by subject. A name that is missing here is private to this package.

// Lists shared by all packages, and business defaults.

export { BUSINESS_DEFAULTS } from './business-defaults.ts';
export {
  EXCHANGE_NAMES,
  EXCHANGES,
  type Exchange,
  HARVEST_STATUSES,
  type HarvestStatus,
  LANGUAGES,
  type Language,
  PAYOUT_STATUSES,
  type PayoutStatus,
  PROVIDER_EXCHANGES,
  RECIPIENT_TYPES,
  type RecipientType,
  supportsExchange,
} from './catalogue.ts';

// Settings of the platform.

export {
  BOUNDED_SETTINGS,
  exceedsBound,
  needsSecondPerson,
  type PlatformSettings,
  SETTING_DEFAULTS,
  SETTING_NAMES,
  type SettingName,
  type WorkerBounds,
} from './settings/platform-settings.ts';

// Access and authentication.

export { APPROVAL_WINDOW_HOURS, needsApproval, type OrderedLately } from './access/approval-limit.ts';
export {
  APPROVER_MIN_HOURS,
  APPROVER_REFUSALS,
  type ApproverRefusal,
  decideApprover,
  decideConfirmation,
  mayTakeFrom,
  responsibleIds,
  type Vouched,
} from './access/four-eyes.ts';
export {
  flagsAfterWithdrawal,
  flagsAtFirstSight,
  type HostedGrants,
  isWithdrawn,
  readHostedGrants,
} from './access/hosted-grants.ts';
export {
  ALWAYS_BY_TWO,
  needsOf,
  ORDER_ACTS,
  ORDER_NEEDS,
  ORDER_STATES,
  type OrderActName,
  type OrderContent,
  type OrderLine,
  type OrderNeed,
  type OrderState,
  orderChanges,
  WRITE_OFF_ACTS,
  writtenOffUnits,
} from './access/orders.ts';
export {
  PASSWORD_MAX,
  PASSWORD_MIN,
  type PasswordProblem,
  passwordProblem,
} from './access/password-policy.ts';
export { USER_ROLES, USER_STATES } from './access/people.ts';
export {
  decideAccess,
  type Flags,
  flagsAt,
  isNarrowed,
  PERMISSIONS,
  type Permission,
  type Scope,
  scopeOf,
  staffRoleAt,
} from './access/permissions.ts';
export {
  type FactorAges,
  isRecentlyAuthenticated,
  needsRecentAuth,
  needsSecondFactor,
  RECENT_AUTHENTICATION_MINUTES,
  type RecentAuth,
} from './access/recent-authentication.ts';
export {
  decideReveal,
  mayReveal,
  REVEALS_COUNT_MS,
  type Reveal,
  type RevealBurst,
} from './access/revealing.ts';
export { SERVICE_SCOPES, type ServiceScope } from './access/service-scopes.ts';
export {
  SESSION_HOURS,
  SESSION_IDLE_MINUTES,
  type SessionNotice,
  sessionEnd,
  sessionNotice,
} from './access/session-limits.ts';
export { isAboutAccount, SIGN_IN_CALLS } from './access/sign-in-refusals.ts';
export {
  CAPABILITIES,
  type Capability,
  DEFAULT_STAFF_ROLE,
  roleHas,
  STAFF_ROLE_NAMES,
  STAFF_ROLES,
  type StaffRole,
} from './access/staff-roles.ts';

// Exchanges: credentials, problems, and when accounts are read.

export {
  CREDENTIAL_FIELDS,
  CREDENTIAL_MAX_LENGTH,
  CREDENTIAL_NAMES,
  CREDENTIALS,
  CREDENTIALS_REQUIRED,
  type CredentialField,
  type CredentialName,
  EXCHANGE_CREDENTIALS,
  type ExchangeCredentials,
  findCredentials,
  findReadingCredentials,
  missingCredentials,
  secretsIn,
} from './trading/credentials.ts';
export {
  ACCOUNT_TYPES,
  type AccountType,
  EXCHANGE_PROBLEM_CODES,
  EXCHANGE_PROBLEMS,
  type ExchangeProblem,
} from './trading/exchange-problems.ts';
export {
  CLOSE_OVERLAP_MS,
  type ClosedReadPlan,
  hasShrunk,
  isLastReadFinal,
  LAST_READ_WITHIN_MS,
  LEAST_CORRECTION_USD,
  nextReadInMs,
  type OpenSize,
  planClosedRead,
  planLastRead,
  surelyKnownTo,
} from './trading/reading-plan.ts';

// Positions, profit and loss.

export { type DrawdownPoint, deepestDrawdown, drawdownSeries, type EquityPoint } from './trading/drawdown.ts';
export {
  type CalendarWeek,
  calendarWeeks,
  daysOfMonth,
  type PnlDay,
  shiftMonth,
} from './trading/pnl-calendar.ts';
export { estimateLiquidationPrice, percentChange, sumKnownPnl } from './trading/position-figures.ts';
export {
  formatLeverage,
  formatPnl,
  formatPrice,
  formatShortPnl,
  formatSignedPercent,
  formatSize,
  maskCredential,
  signOf,
} from './trading/position-format.ts';
export { groupByAccount, type PositionGroup } from './trading/position-groups.ts';
export { POSITION_SIDES, readSide } from './trading/position-side.ts';

// What a new installation needs.

export {
  type CheckedStep,
  checkSetup,
  SETUP_STEPS,
  type SetupFacts,
  type SetupState,
  type SetupStep,
} from './setup/checklist.ts';
export { proposeLimits } from './setup/proposed-limits.ts';

// Status and VIP tiers of traders.

export {
  createReferralCode,
  SIGNUP_SOURCES,
  type SignupSource,
  TRADER_SOURCES,
  type TraderSource,
  traderSourceOf,
} from './traders/trader-source.ts';
export { TRADER_STATUSES, TRADER_TABS, type TraderStatus, type TraderTab } from './traders/trader-status.ts';
export { decideVip, type VipTier, vipStanding } from './traders/vip.ts';

// Invoices, their split and their payments.

export {
  findExceededSplits,
  largestCommunityPercentage,
  largestProviderShare,
} from './invoices/community-split.ts';
export { type DeductedInvoice, deductFrom, type OpenDeduction } from './invoices/deductions.ts';
export { type InvoiceBadge, invoiceBadges, outstandingOf } from './invoices/invoice-badges.ts';
export {
  decideMarking,
  INVOICE_FILTER_STATUSES,
  INVOICE_FILTER_TYPES,
  INVOICE_STATUSES,
  INVOICE_TABS,
  INVOICE_TYPES,
  type InvoiceTab,
  type MarkableInvoice,
  type MarkingRefusal,
  OFF_PLATFORM_REASONS,
  providerShareOf,
  refuseUnpaid,
  UNKNOWN_REFERENCE,
} from './invoices/invoices.ts';
export {
  commissionRateOf,
  DIFFERENCE_KINDS,
  type DifferenceKind,
  type InvoiceFacts,
  type InvoicePlan,
  planInvoice,
} from './invoices/invoicing.ts';
export { type Allocation, allocatePayments } from './invoices/payments.ts';
export {
  type PlatformWeights,
  type SplitPart,
  type SplitTerms,
  scaleSplit,
  splitInvoice,
} from './invoices/split.ts';

// Journals of all movements of money.

export {
  applyJournal,
  balanceChange,
  checkJournal,
  type JournalDraft,
  type JournalKind,
  LEDGER_UNITS_LIMIT,
  type LedgerSource,
  reverseJournal,
} from './ledger/ledger.ts';
export {
  ACCOUNT_KINDS,
  type AccountKind,
  type Asset,
  accountKey,
  type LedgerAccount,
  ledgerAccount,
} from './ledger/ledger-accounts.ts';
export {
  consolidated,
  creditReturned,
  depositReceived,
  distributed,
  gasFunded,
  gasSpent,
} from './ledger/ledger-chain.ts';
export { LedgerError } from './ledger/ledger-error.ts';
export {
  invoiceCancelled,
  invoiceDiscounted,
  invoiceIssued,
  invoicePaid,
  invoiceSettledByHand,
  type LedgerInvoice,
  payableParts,
} from './ledger/ledger-invoice.ts';
export { type ImportedInvoice, type Opening, openingJournals, planOpening } from './ledger/opening.ts';

// Pools: journals, harvest cycles, valuation, allocation, fees, deposits and withdrawals, and figures.

export {
  poolBounced,
  poolCredited,
  poolDepositAdmitted,
  poolDepositReturned,
  poolDepositSeen,
  poolFundsReturned,
  poolLost,
  poolReturnUndone,
  poolSent,
  poolUnexplainedIn,
  poolUnexplainedResolved,
  poolWithdrawalPaid,
  UNEXPLAINED_ENDS,
  type UnexplainedEnd,
} from './ledger/ledger-pool.ts';
export { poolFeeCharged, poolFeeMoved } from './ledger/ledger-pool-fee.ts';
export { VALUED_CHUNK, type ValuedPool, valuedJournals } from './ledger/ledger-pool-valued.ts';
export { allocateResult, type FrozenShare, type PoolAllocation } from './pools/allocation.ts';
export {
  breakerDistance,
  isBreakerTripped,
  limitFor,
  type RaisedBreaker,
  raisedBreaker,
} from './pools/circuit-breaker.ts';
export { type ForeignSum, type SortedLog, sortLog } from './pools/exchange-log.ts';
export {
  GLOBAL_TEXTS,
  type GlobalAction,
  type GlobalHarvest,
  type GlobalHarvestStatus,
  globalHarvestOf,
} from './pools/global-harvest.ts';
export { decideHarvest, type HarvestDecision, transitionsOf } from './pools/harvest.ts';
export {
  HARVEST_EVENTS,
  HARVEST_REFUSALS,
  HARVEST_ROLES,
  type HarvestEffect,
  type HarvestEvent,
  type HarvestEventKind,
  type HarvestRefusal,
  type HarvestRole,
} from './pools/harvest-events.ts';
export {
  type ExchangeEvidence,
  type HarvestFacts,
  RESOLUTIONS,
  type Resolution,
  resolutionsOf,
} from './pools/harvest-facts.ts';
export {
  GLOBAL_EFFECTS,
  HARVEST_LABELS,
  harvestLabelOf,
  pendingPollMs,
} from './pools/harvest-labels.ts';
export {
  admitRun,
  RUN_ACTIONS,
  type RunAction,
  type RunAdmission,
  type RunCandidate,
  type RunItemState,
  runItemStateOf,
  runProgressOf,
} from './pools/harvest-run.ts';
export {
  clockStartOf,
  deadlineOf,
  dueReminders,
  FAILURE_REASONS,
  type FailureReason,
  HARVEST_STATES,
  HARVEST_STEPS,
  type HarvestState,
  type HarvestStep,
  type StateClock,
  TRADING,
} from './pools/harvest-states.ts';
export { HARVEST_TRANSITIONS } from './pools/harvest-transitions.ts';
export {
  type HarvestTurn,
  isTradedOn,
  type TurnAct,
  type TurnOf,
  turnOf,
} from './pools/harvest-turn.ts';
export {
  type CommissionRate,
  cutCarry,
  decideFee,
  type FeeFacts,
  POOL_FEE_BASES,
  type PoolFeeBasis,
  readCommissionRate,
} from './pools/pool-fee.ts';
export {
  type IndexPoint,
  indexSeries,
  type ValuedCycle,
} from './pools/pool-figures.ts';
export {
  type DepositEvent,
  decideDeposit,
  decideWithdrawal,
  depositRefusal,
  depositsToCollect,
  FLOW_REFUSALS,
  type FlowRefusal,
  type FundingFacts,
  isGateOpen,
  type PendingDeposit,
  POOL_DEPOSIT_STATUSES,
  type PoolDepositStatus,
  planFunding,
  WITHDRAWAL_STATUSES,
  type WithdrawalEvent,
  type WithdrawalStatus,
} from './pools/pool-flows.ts';
export {
  arrivalJournalKind,
  mayUndoReturn,
  type ProxyArrival,
  resolvableUnits,
  type UndoFacts,
  type UnexplainedFacts,
} from './pools/proxy-arrivals.ts';
export { type TokenLimits, withinTokenLimits } from './pools/token-limits.ts';
export {
  stillAtExchange,
  UNBOOKED_GAPS,
  type UnbookedFacts,
  type UnbookedGap,
  unbookedResult,
} from './pools/unbooked-result.ts';
export {
  decideValuation,
  dustOf,
  VALUATION_REASONS,
  type Valuation,
  type ValuationFacts,
  type ValuationReason,
} from './pools/valuation.ts';
export {
  planReservations,
  type Reservation,
  suggestsAll,
  type WithdrawalAmount,
  type WithdrawalRequest,
} from './pools/withdrawal-amounts.ts';

// Payouts and their transfers on chain.

export { mostOf } from './money/order-units.ts';
export {
  DISTRIBUTION_PROGRESS,
  isAtStandstill,
  isLate,
  PAYOUT_STEPS,
  type PayoutStep,
  progressOf,
} from './payouts/distribution-progress.ts';
export { averagePerMonth, payoutPeriod } from './payouts/payout-period.ts';
export {
  belongingTo,
  goesOnWithout,
  isFree,
  MOVED_NOTHING,
  PAYOUT_MOVES,
  type PayoutEvent,
  type StrandedAt,
} from './payouts/payout-states.ts';
export { planPayoutSteps } from './payouts/payout-steps.ts';
export { canCancelPayout, canResendPayout, canRetryPayout, type PayoutFacts } from './payouts/payouts.ts';
export {
  classifyRefusal,
  isOfServer,
  pauseAfterRefusals,
  REFUSALS,
  type Refusal,
  tipFloorAfter,
} from './payouts/send-refusals.ts';
export { type GasBounds, sizeTopup } from './payouts/topups.ts';
export {
  ALLOW_ONCE_APPROVALS,
  FREEZE_REASONS,
  type FreezeReason,
  HALT_REASONS,
  type HaltReason,
  isSameMove,
  largestPayout,
  PAYOUT_PROBLEMS,
  type PayoutLimits,
  type PayoutProblem,
  payableAt,
  replacementFee,
  type TransferState,
  withinLimits,
} from './payouts/transfers.ts';

// Pools.

export { decidePoolKey, POOL_KEY_REFUSALS } from './pools/pool-key.ts';

// Messages to traders.

export { DUE_SOON_MS, OVERDUE_REACH_MS, retryDelayMs } from './messages/message-plan.ts';
export {
  INVOICE_MESSAGE_KINDS,
  type InvoiceMessageKind,
  MESSAGE_KINDS,
  MESSAGE_PROBLEMS,
  MESSAGE_STATES,
  type MessageKind,
  type MessageProblem,
  OWNER_MESSAGE_KINDS,
  type OwnerMessageKind,
  plainMessage,
  WALLET_ANSWER_KINDS,
  WALLET_MESSAGE_KINDS,
  type WalletAnswerKind,
  type WalletMessageKind,
  WITHDRAWAL_MESSAGE_KINDS,
  type WithdrawalMessageKind,
} from './messages/messages.ts';

// Subscriptions of communities.

export {
  BILLING_REMINDERS,
  type BillingReminder,
  type DueBillingReminder,
  dueBillingReminders,
} from './billing/billing-reminders.ts';
export {
  BILLED_STATUSES,
  BILLING_GRACE_DAYS,
  type BilledStatus,
  type BilledSubscription,
  isLive,
  PAYMENT_NOTICES,
  type PaymentNotice,
  PLAN_FEATURES,
  type PlanFeature,
  SUBSCRIPTION_INTERVALS,
  SUBSCRIPTION_STATES,
  type SubscriptionAccess,
  type SubscriptionInterval,
  type SubscriptionState,
  subscriptionAccess,
} from './billing/subscription.ts';

// Bots of communities that sell access.

export {
  BOT_TEXT_KEYS,
  BOT_TEXTS,
  type BotTextKey,
  type BotTextProblem,
  type BotTextRule,
  fillTemplate,
  findTextProblem,
} from './exchange-bot/bot-texts.ts';
export {
  type BotAct,
  type BotActRefusal,
  type BotButton,
  type BotChat,
  type BotInput,
  type BotOffers,
  type BotOrder,
  type BotOutcome,
  type BotReply,
  type BotTurn,
  type BotValues,
  converse,
  factReply,
  planPayload,
  replyToAct,
  type SaleFact,
} from './exchange-bot/conversation.ts';
export { type CouponRefusal, type CouponTerms, couponCode, priceWithCoupon } from './exchange-bot/coupons.ts';
export {
  CANCEL_REASONS,
  type CancelReason,
  planBotInvoice,
  refuseCancelling,
  refuseCoupon,
  type SaleRefusal,
} from './exchange-bot/sales.ts';
export { countUpdate } from './exchange-bot/update-rate.ts';

// Exact amounts, their formats, and addresses.

export { shownPercentage, sumDecimals } from './money/decimals.ts';
export { formatCount, formatDate, formatUsd, formatWholeUsd, shortHash, shortId } from './money/format.ts';
export { shownParts } from './money/shown-parts.ts';
export { askedUnits, decimalToUnits, UNITS_PER_MILLIONTH, unitsToDecimal } from './money/token-units.ts';
export { decideWalletAddress, type WalletAddressRefusal } from './money/wallet-address.ts';

// Texts as people paste and type them.

export { EMAIL_PATTERN, emailInAscii } from './text/email-address.ts';
export { guardFormula } from './text/formula-guard.ts';
export { compareNames } from './text/name-order.ts';
export { cleanLine, cleanPasted, isolatedName, searchedText } from './text/pasted-text.ts';
export { findTextTrap } from './text/payment-traps.ts';

// Figures of the Super Admin Dashboard.

export {
  type DashboardCommunity,
  type DashboardFigures,
  dashboardFigures,
} from './pools/dashboard-figures.ts';
