export const en = {
  greeting: 'Hello {{name}},',
  greeting_nameless: 'Hello,',
  invoice_created: 'A new invoice of {{- amount}} has been issued to you.',
  invoice_due_soon: 'A reminder: your invoice of {{- amount}} is due soon.',
  invoice_overdue: 'Your invoice of {{- amount}} is overdue.',
  invoice_paid: 'Your invoice of {{- amount}} is paid. Thank you!',
  invoice_recalled: 'Your invoice of {{- amount}} was taken back. Please do not pay it.',
  recalled_due_later: 'What it was for may come with a later invoice.',
  recalled_payment:
    'If you have already paid it, your payment stays as your credit and pays your next invoice.',
  unpaid_invoices_one: 'You have {{count}} unpaid invoice.',
  unpaid_invoices_other: 'You have {{count}} unpaid invoices.',
  total_due: 'Total due: {{- outstanding}}.',
  partly_paid: 'Received so far: {{- paid}}. Still due: {{- outstanding}}.',
  paid_on_chain: 'Received on chain: {{- paid}}.',
  off_platform: 'Settled off-platform: {{- settled}}.',
  deducted: 'Deducted already, because an earlier invoice charged too much: {{- deducted}}.',
  credit: '{{- credit}} beyond what was owed stays as your credit. It pays your next invoice by itself.',
  due: 'Due date: {{- due}}.',
  earliest_due: 'Earliest due date: {{- due}}.',
  pay_to: 'To pay, send {{- outstanding}} over {{- network}} to this address:',
  only_so: 'Please send only USDT, and only over this network: other transfers cannot be credited.',
  wallet_changed:
    'The wallet stored for your payouts was changed. It now begins with {{- begin}} and ends with {{- end}}.',
  wallet_question: 'The wallet stored for your payouts was changed to this address:',
  wallet_question_from:
    'Nothing is paid to it before it is confirmed, and not before {{- from}}. Compare every character. Is this your wallet?',
  button_wallet_confirmed: 'Confirm',
  button_wallet_not_me: 'Not me',
  wallet_confirmed:
    'Confirmed. Payouts go to your wallet that begins with {{- begin}} and ends with {{- end}}, from {{- from}} at the earliest.',
  wallet_disowned:
    'Noted. Nothing is paid to the wallet that begins with {{- begin}} and ends with {{- end}} until an administrator has decided.',
  wallet_no_effect:
    'Your answer has no effect. The wallet was changed again or has been decided about, or your Telegram account was stored less than 30 days ago.',
  withdrawal_ordered:
    'A withdrawal of {{- amount}} from your pool was ordered. It goes to your wallet that begins with {{- begin}} and ends with {{- end}}.',
  withdrawal_ordered_everything:
    'A withdrawal of everything that you have in your pool was ordered. It goes to your wallet that begins with {{- begin}} and ends with {{- end}}.',
  withdrawal_needs_address:
    'Your withdrawal from your pool cannot be paid, because no payout address is stored for you. Tell your community your own address for USDT on {{- network}}. The withdrawal waits until then.',
  withdrawal_refused:
    'Your withdrawal of {{- amount}} from your pool was refused: it is more than you have in the pool. {{- available}} was available. Ask for that or less, or for everything.',
  withdrawal_refused_nothing:
    'Your withdrawal from your pool was refused: nothing was available to withdraw.',
  not_you: 'If you did not ask for this, tell your community at once, in a chat that you already know.',
  withdraw_funds: 'A harvest of the pool of {{community}} has started.',
  withdraw_reminder: 'A reminder: the pool of {{community}} waits for your withdrawal.',
  withdrawal_cancelled:
    'The harvest of the pool of {{community}} was cancelled. Nothing needs to be withdrawn.',
  withdraw_to:
    'Please withdraw all USDT from its Bybit account, about {{- amount}}, over {{- network}} to this address:',
  withdraw_all: 'Please withdraw everything, only USDT, and only over this network.',
  withdraw_report: 'When you have withdrawn everything, please report it here:',
  owner_page_title: 'Withdrawal from the pool of {{- community}}',
  owner_page_report: 'I have withdrawn everything',
  owner_page_reported: 'Thank you. The account at Bybit is being checked.',
  owner_page_over: 'No withdrawal is needed from this pool at present.',
  trial_ending:
    'The trial of the subscription of {{community}} ends on {{- day}}. It then becomes a paid subscription.',
  payment_failed:
    'The payment for the subscription of {{community}} failed. Everything stays open until {{- day}}. Please check the payment method.',
  grace_ending:
    'The subscription of {{community}} is still unpaid. Its exchange bot can no longer be switched on after {{- day}}.',
  subscription_ended:
    'The subscription of {{community}} has ended: {{- day}}. Traders, invoices and payouts are not affected.',
  payment_link:
    'The subscription of {{community}} is not paid yet. You choose a plan and pay on the page of Stripe, which takes our payments:',
  payment_link_unpaid:
    'The last payment for the subscription of {{community}} failed. You can pay it on the page of Stripe, which takes our payments:',
  owner_payment_open: 'Open the payment page',
  owner_payment_title: 'Subscription of {{- community}}',
  owner_payment_plan: 'Choose a plan. You pay on the page of Stripe, and nothing is paid before.',
  owner_payment_monthly: 'Monthly: {{- price}}',
  owner_payment_yearly: 'Yearly: {{- price}}',
  owner_payment_unpaid: 'The last payment failed. You can pay it on the page of Stripe.',
  owner_payment_pay: 'Continue to payment',
  owner_payment_awaited: 'Your payment is being confirmed. This takes a few seconds.',
  owner_payment_failed: 'This does not work right now. Please try again in a few minutes.',
  owner_payment_paid: 'The subscription is paid. Thank you.',
  owner_payment_over: 'There is nothing to pay here at present.',
  key_failing:
    'The exchange refuses the API key of your account at {{- exchanges}}. Until it is replaced, the account is not read, and its figures stand still.',
  key_ending:
    'The API key of your account at {{- exchanges}} ends on {{- end}}. From then on the account is not read, and its figures stand still, until the key is replaced.',
  key_replace:
    'Please create a new key that may only read, and hand it over the way you did before. Never send a key in this chat.',
};
