import { THIEF } from '../sql-attempts.ts';
import { puppet, type Scenario, userOf } from './pieces.ts';

const TRADER = '(SELECT id FROM trader ORDER BY id LIMIT 1)';

/** Payout addresses, and those that people are shown. */
export const ADDRESSES: readonly Scenario[] = [
  // Addresses
  {
    name: 'a hold of an address ended by nobody',
    steps: [
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET released_at = now(), released_by_id = 'nobody', released_by = 'x'`,
    ],
  },
  {
    name: 'a hold ended by staff',
    steps: [
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET released_at = now(), released_by_id = ${userOf('staff')}, released_by = 'x'`,
    ],
  },
  {
    name: 'a hold ended by a puppet',
    steps: [
      ...puppet,
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET released_at = now(), released_by_id = md5('puppet')::uuid::text, released_by = 'x'`,
    ],
  },
  {
    name: 'a hold dated back',
    steps: [
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET changed_at = 'epoch'`,
    ],
  },
  {
    name: 'a hold of another owner',
    steps: [
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET owner_kind = 'provider'`,
    ],
  },
  {
    name: 'a hold deleted',
    steps: [`UPDATE community SET external_wallet_address = '${THIEF}'`, 'DELETE FROM payout_address_change'],
  },
  {
    name: 'an address changed without a hold',
    steps: [
      `UPDATE provider SET payout_address = '${THIEF}' WHERE payout_address IS NOT NULL`,
      `SELECT 1 / (SELECT count(*) FROM provider p WHERE p.payout_address = '${THIEF}' AND NOT EXISTS (SELECT FROM payout_address_change c WHERE c.owner_id = p.id::text AND c.released_at IS NULL AND c.changed_at > now() - interval '1 minute'))`,
    ],
  },
  {
    name: 'an address of a trader changed without a hold',
    steps: [
      `UPDATE trader SET external_wallet_address = '${THIEF}' WHERE id = (SELECT id FROM trader LIMIT 1)`,
      `SELECT 1 / (SELECT count(*) FROM trader t WHERE t.external_wallet_address = '${THIEF}' AND NOT EXISTS (SELECT FROM payout_address_change c WHERE c.owner_id = t.id::text AND c.released_at IS NULL AND c.changed_at > now() - interval '1 minute'))`,
    ],
  },
  {
    name: 'a referrer set without a hold',
    steps: [
      `UPDATE trader SET referred_by_trader_id = (SELECT max(id::text)::uuid FROM trader) WHERE id = (SELECT min(id::text)::uuid FROM trader)`,
      `SELECT 1 / (SELECT count(*) FROM trader t WHERE t.id = (SELECT min(id::text)::uuid FROM trader) AND NOT EXISTS (SELECT FROM payout_address_change c WHERE c.owner_kind = 'trader_referrer' AND c.owner_id = t.id::text AND c.address = t.referred_by_trader_id::text AND c.released_at IS NULL))`,
    ],
  },
  {
    name: 'an address of a trader released in the name of its owner',
    steps: [
      `UPDATE trader SET external_wallet_address = '${THIEF}' WHERE id = ${TRADER}`,
      `UPDATE payout_address_change SET released_at = now(), released_by_id = 'owner', released_by = 'x' WHERE owner_id = ${TRADER}::text`,
    ],
  },
  {
    name: 'a word of an owner',
    steps: [
      `UPDATE trader SET external_wallet_address = '${THIEF}' WHERE id = ${TRADER}`,
      `INSERT INTO payout_address_word (change_id, kind, trader_id, address, bot_telegram_id, update_id, telegram_user_id)
       SELECT c.id, 'confirmed', t.id, c.address, r.telegram_id, 1, t.telegram_user_id::bigint
       FROM payout_address_change c JOIN trader t ON t.id::text = c.owner_id, platform_bot_reading r WHERE t.id = ${TRADER}`,
    ],
  },
  {
    name: 'a Telegram id that counts at once',
    steps: [
      `UPDATE trader SET telegram_user_id = '4711', telegram_set_at = 'epoch' WHERE id = ${TRADER}`,
      `SELECT 1 / (SELECT count(*) FROM trader t WHERE t.id = ${TRADER} AND app.telegram_counts(t.telegram_user_id, t.telegram_set_at))`,
    ],
  },
  {
    name: 'a Telegram id that counts afterwards',
    steps: [
      `UPDATE trader SET telegram_user_id = '4711' WHERE id = ${TRADER}`,
      `UPDATE trader SET telegram_set_at = 'epoch' WHERE id = ${TRADER}`,
    ],
  },
  {
    name: 'a bot of our own whose words count',
    steps: [`UPDATE platform_bot_reading SET telegram_id = 4711, counts_from = 'epoch'`],
  },
  {
    name: 'a funding address without its wait',
    steps: [
      `UPDATE pooled_account SET bybit_deposit_address = '${THIEF}', bybit_deposit_address_from = 'epoch' WHERE bybit_deposit_address IS NOT NULL`,
      `SELECT 1 / (SELECT count(*) FROM pooled_account WHERE bybit_deposit_address = '${THIEF}' AND bybit_deposit_address_from < now() + interval '23 hours')`,
    ],
  },
  {
    name: 'a funding address by way of none',
    steps: [
      'UPDATE pooled_account SET bybit_deposit_address = NULL, bybit_deposit_address_from = NULL WHERE bybit_deposit_address IS NOT NULL',
      `UPDATE pooled_account SET bybit_deposit_address = '${THIEF}', bybit_deposit_address_from = 'epoch' WHERE bybit_deposit_address IS NULL`,
    ],
  },
  {
    name: 'a wait of a funding address shortened afterwards',
    steps: [
      `UPDATE pooled_account SET bybit_deposit_address = '${THIEF}', bybit_deposit_address_from = now() + interval '2 days' WHERE bybit_deposit_address IS NOT NULL`,
      `UPDATE pooled_account SET bybit_deposit_address_from = 'epoch' WHERE bybit_deposit_address = '${THIEF}'`,
      `SELECT 1 / (SELECT count(*) FROM pooled_account WHERE bybit_deposit_address = '${THIEF}' AND bybit_deposit_address_from < now() + interval '1 day')`,
    ],
  },
  // Addresses that people are shown. The world has addresses that workers derived.
  ...[`'${THIEF}'`, 'NULL', '(SELECT max(d.address) FROM deposit_address d)'].map((address) => ({
    name: `the deposit address of a trader changed to ${address}`,
    steps: [
      `UPDATE trader SET deposit_address = ${address} WHERE deposit_address IS NOT NULL AND deposit_index = 1`,
    ],
  })),
  ...[`'${THIEF}'`, '(SELECT max(d.address) FROM deposit_address d)'].map((address) => ({
    name: `another first deposit address, ${address}`,
    steps: [
      "INSERT INTO trader (community_id, referral_code) SELECT id, 'attack' FROM community LIMIT 1",
      `UPDATE trader SET deposit_address = ${address} WHERE referral_code = 'attack'`,
    ],
  })),
  {
    name: 'a trader with an address of our own',
    steps: [
      `INSERT INTO trader (community_id, referral_code, deposit_address) SELECT id, 'attack', '${THIEF}' FROM community LIMIT 1`,
    ],
  },
  {
    name: 'the index of a trader',
    steps: ['UPDATE trader SET deposit_index = DEFAULT WHERE deposit_index = 1'],
  },
  { name: 'a derived address', steps: [`INSERT INTO deposit_address VALUES (1000000, '${THIEF}')`] },
  { name: 'another derived address', steps: [`UPDATE deposit_address SET address = '${THIEF}'`] },
  {
    name: 'the wallet of a community',
    steps: [`UPDATE community SET internal_wallet_address = '${THIEF}' WHERE internal_wallet_index = 1`],
  },
  {
    name: 'a community with a wallet',
    steps: [`INSERT INTO community (name, internal_wallet_address) VALUES ('attack', '${THIEF}')`],
  },
  { name: 'the proxy wallet of a pool', steps: [`UPDATE pooled_account SET proxy_address = '${THIEF}'`] },
  {
    name: 'a member of a pool with an address',
    steps: [
      `INSERT INTO pool_member (pooled_account_id, trader_id, deposit_address)
       SELECT p.id, t.id, '${THIEF}' FROM pooled_account p, trader t
       WHERE NOT EXISTS (SELECT FROM pool_member m WHERE m.trader_id = t.id) LIMIT 1`,
    ],
  },
  { name: 'the address of a member', steps: [`UPDATE pool_member SET deposit_address = '${THIEF}'`] },
  {
    name: 'an invoice that is paid to another address',
    steps: [
      `INSERT INTO invoice (trader_id, community_id, amount_units, payment_address, commission_rate, split, due_at)
       SELECT trader_id, community_id, 1, '${THIEF}', 0, '[]', now() FROM invoice LIMIT 1`,
    ],
  },
  ...[THIEF, THIEF.toUpperCase().replace('X', 'x')].map((address) => ({
    name: `a message with the address ${address}`,
    steps: [
      `INSERT INTO message (trader_id, kind, language, text, dedupe_key, requested_by)
       SELECT id, 'invoice_created', 'en', 'Pay to <code>${address}</code>', 'attack', 'x' FROM trader LIMIT 1`,
    ],
  })),
];
