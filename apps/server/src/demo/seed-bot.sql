-- The bot of one community, with what it offers. Parameter: its id at Telegram.
WITH bot AS (
  INSERT INTO exchange_bot (community_id, telegram_id, username, name, language)
  SELECT c.id, $1::bigint, 'demo_' || $1::bigint || '_bot', 'Demo Bot ' || $1::bigint, 'en'
  FROM community c WHERE NOT c.is_archived ORDER BY c.name DESC LIMIT 1
  RETURNING id
), plan AS (
  INSERT INTO exchange_bot_plan (bot_id, name, days, amount_units, is_active)
  SELECT bot.id, p.name, p.days, p.usdt * 10::numeric ^ 18, p.is_active
  FROM bot, (VALUES ('One month', 30, 49, true), ('Three months', 90, 129, true), ('One year', 365, 449, true),
    ('Trial week', 7, 15, false)) p (name, days, usdt, is_active)
  RETURNING id, name
), coupon AS (
  INSERT INTO exchange_bot_coupon (bot_id, code, percent, amount_units, starts_at, ends_at, max_uses,
    max_uses_per_user, plan_ids)
  SELECT bot.id, c.code, c.percent, c.usdt * 10::numeric ^ 18, now() + c.starts, now() + c.ends, c.uses, c.each,
    CASE WHEN c.is_year THEN ARRAY(SELECT id FROM plan WHERE name = 'One year') ELSE '{}' END
  FROM bot, (VALUES ('WELCOME10', 10, NULL::int, NULL::interval, NULL::interval, NULL::int, 1, false),
    ('YEAR50', NULL, 50, interval '-30 days', interval '60 days', 200, 1, true),
    ('LAUNCH', 25, NULL, interval '-120 days', interval '-90 days', 100, 1, false)) c
    (code, percent, usdt, starts, ends, uses, each, is_year)
), faq AS (
  INSERT INTO exchange_bot_faq (bot_id, language, place, question, answer)
  SELECT bot.id, q.language, q.place, q.question, q.answer
  FROM bot, (VALUES
    ('en', 0, 'How do I pay?', 'Choose a plan. You get an address for USDT on BNB Smart Chain (BEP-20). Send the exact amount to it.'),
    ('en', 1, 'When does my access begin?', 'As soon as your payment is final on the chain, usually within a minute.'),
    ('en', 2, 'I sent too little. What now?', 'Send the rest to the same address. Your access begins once the whole amount has arrived.'),
    ('es', 0, '¿Cómo pago?', 'Elige un plan. Recibirás una dirección para USDT en BNB Smart Chain (BEP-20). Envía el importe exacto.')
  ) q (language, place, question, answer)
)
SELECT id FROM bot
