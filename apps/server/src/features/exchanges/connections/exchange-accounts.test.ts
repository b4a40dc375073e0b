import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import type { WorldAccount } from '@copydesk/simulators/world';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notPassed, passedFiles } from '../../../../../../tests/support/journey.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { linkAllProviders } from '../../../../../../tests/support/world/communities.ts';
import { ownerOf } from '../../../../../../tests/support/world/rows.ts';
import { startVenues, type TestVenues } from '../../../../../../tests/support/world/venues.ts';
import { createKeyring } from '../../../platform/secrets/keyring.ts';
import { rotateMasterKey } from '../../../platform/secrets/rotate-master-key.ts';
import { SEALED_TABLES } from '../../../wiring/sealed-tables.ts';

let venues: TestVenues;
let product: TestApp;
let token: string;
/** A trader of a community that works with every provider it needs, and a provider for each exchange. */
let traderId: string;
let providers: Record<Exchange, string>;

beforeAll(async () => {
  const seededAt = new Date();
  venues = await startVenues({ epoch: seededAt, traders: 60 });
  product = await createTestApp({ scale: 0.1, seededAt, env: venues.env });
  token = await product.signIn('super');
  // Every provider works with the trader's community here, so that each exchange can be connected.
  await linkAllProviders(ownerOf(product.ownerUrl));
  const [trader] = await asOwner<{ id: string }>(
    product.ownerUrl,
    'SELECT id FROM trader WHERE account_count = 0 ORDER BY id LIMIT 1',
  );
  traderId = trader?.id ?? '';
  const rows = await asOwner<{ exchange: Exchange; id: string }>(
    product.ownerUrl,
    'SELECT DISTINCT ON (exchange) unnest(supported_exchanges) AS exchange, id FROM provider ORDER BY exchange, id',
  );
  providers = Object.fromEntries(rows.map((row) => [row.exchange, row.id])) as Record<Exchange, string>;
});
afterAll(async () => {
  await product?.close();
  await venues?.close();
});
beforeEach(() => {
  for (const exchange of EXCHANGES) {
    venues.of[exchange].faults.clear();
    venues.of[exchange].requests.reset();
  }
});

/** The body that connects an account, as the console sends it. */
function bodyOf(account: WorldAccount, changes: Record<string, unknown> = {}) {
  const credentials = venues.accounts.credentialsOf(account);
  const given =
    credentials.exchange === 'hyperliquid'
      ? {
          master_address: credentials.masterAddress,
          agent_address: credentials.agentAddress,
          agent_private_key: credentials.agentPrivateKey,
        }
      : {
          apiKey: credentials.apiKey,
          secretKey: credentials.secretKey,
          ...('passphrase' in credentials ? { passphrase: credentials.passphrase } : {}),
        };
  return { exchange: account.exchange, provider_id: providers[account.exchange], ...given, ...changes };
}

const connect = (body: object) =>
  send(product.app, 'POST /api/traders/{id}/exchange', { params: { id: traderId }, body }, token);
/** Removes an account with its key at once. */
const remove = (exchange: Exchange, acc_uid: string) =>
  send(
    product.app,
    'DELETE /api/traders/{id}/exchange',
    { params: { id: traderId }, body: { exchange, acc_uid, without_last_read: true } },
    token,
  );
const countAccounts = async () =>
  Number(
    (
      await asOwner<{ n: string }>(
        product.ownerUrl,
        'SELECT (SELECT count(*) FROM exchange_account) + (SELECT count(*) FROM exchange_credential) AS n',
      )
    )[0]?.n,
  );

/** Every secret of the spare accounts, to be searched where none may be. */
function canaries(): string[] {
  return EXCHANGES.flatMap((exchange) =>
    venues.accounts.list(exchange).filter(({ spareName }) => spareName !== null),
  ).flatMap((account) => {
    const credentials = venues.accounts.credentialsOf(account);
    if (credentials.exchange === 'hyperliquid') return [credentials.agentPrivateKey];
    const { apiKey, secretKey } = credentials;
    return 'passphrase' in credentials ? [apiKey, secretKey, credentials.passphrase] : [apiKey, secretKey];
  });
}

describe.each(EXCHANGES)('%s', { timeout: 20_000 }, (exchange) => {
  test('is connected once its credentials were tried, and removed with them', async () => {
    const account = venues.spare(exchange, 'plain');
    const answer = await connect(bodyOf(account));
    expect(answer.statusCode, answer.body).toBe(201);
    const { data } = answer.json();
    expect(data).toMatchObject({
      exchange,
      provider_id: providers[exchange],
      // An agent of Hyperliquid says nothing about it.
      may_withdraw: exchange === 'hyperliquid' ? null : false,
    });
    expect(Number(data.equity)).toBeGreaterThan(0);
    for (const secret of canaries()) expect(answer.body).not.toContain(secret);
    const masks = [data.api_key, data.secret_key, data.passphrase, data.agent_private_key].filter(Boolean);
    expect(masks.length).toBeGreaterThan(0);
    for (const mask of masks) expect(mask).toMatch(/^•{1,32}$/);

    const [key] = await asOwner(
      product.ownerUrl,
      `SELECT key_expires_at IS NOT NULL AS ends, key_read_at IS NOT NULL AS is_read FROM exchange_account
       WHERE trader_id = '${traderId}' AND removed_at IS NULL`,
    );
    expect(key).toEqual({ ends: exchange === 'bybit', is_read: exchange === 'bybit' });
    const [stored] = await asOwner<{ n: number; readings: number }>(
      product.ownerUrl,
      `SELECT count(*)::int AS n, (SELECT count(*)::int FROM account_reading r JOIN exchange_account a ON a.id = r.account_id
         WHERE a.trader_id = '${traderId}' AND a.removed_at IS NULL) AS readings
       FROM exchange_credential c JOIN exchange_account a ON a.id = c.account_id WHERE a.trader_id = '${traderId}'`,
    );
    expect(stored).toEqual({ n: masks.length, readings: 1 });

    const again = await connect(bodyOf(account));
    expect(again.json()).toMatchObject({ error: 'exchange_account_taken' });

    expect((await remove(exchange, data.acc_uid)).statusCode).toBe(200);
    const [left] = await asOwner<{ n: number; aum: string | null; accounts: number }>(
      product.ownerUrl,
      `SELECT (SELECT count(*)::int FROM exchange_credential c JOIN exchange_account a ON a.id = c.account_id
         WHERE a.trader_id = t.id) AS n, aum, account_count AS accounts FROM trader t WHERE id = '${traderId}'`,
    );
    expect(left).toEqual({ n: 0, aum: null, accounts: 0 });
    expect((await remove(exchange, data.acc_uid)).statusCode).toBe(404);
  });

  test('refuses wrong credentials in words of ours, and stores nothing', async () => {
    const before = await countAccounts();
    const plain = venues.spare(exchange, 'plain');
    const wrong =
      exchange === 'hyperliquid'
        ? { agent_private_key: `0x${'7'.repeat(64)}` }
        : { secretKey: 'not-the-secret-at-all' };
    for (const body of [bodyOf(plain, wrong), bodyOf(venues.spare(exchange, 'revoked'))]) {
      const answer = await connect(body);
      expect(answer.statusCode, answer.body).toBe(422);
      expect(answer.json()).toMatchObject({ success: false, error: 'exchange_refused' });
      expect(answer.json().message).toMatch(/^(The exchange|Our address|The key)/);
    }
    expect(await countAccounts()).toBe(before);
  });

  test('out of order is an error of its own, and stores nothing', async () => {
    const before = await countAccounts();
    for (const kind of ['server_error', 'maintenance', 'malformed', 'cut'] as const) {
      venues.of[exchange].faults.set({ kind });
      const answer = await connect(bodyOf(venues.spare(exchange, 'plain')));
      expect(answer.statusCode, `${kind}: ${answer.body}`).toBe(503);
      expect(answer.json()).toMatchObject({ error: 'exchange_unavailable' });
      venues.of[exchange].faults.clear();
      await product.resetExchanges();
    }
    expect(await countAccounts()).toBe(before);
  });
});

test('missing fields are named in the words of the specification', async () => {
  const text =
    'For Hyperliquid, master_address, agent_address, and agent_private_key are required. For other exchanges, apiKey and secretKey are required.';
  for (const body of [
    { exchange: 'bybit', provider_id: providers.bybit, apiKey: 'key' },
    { exchange: 'hyperliquid', provider_id: providers.hyperliquid, master_address: `0x${'1'.repeat(40)}` },
  ])
    expect((await connect(body)).json()).toMatchObject({
      error: 'exchange_credentials_required',
      message: text,
    });
  const passphrase = await connect(bodyOf(venues.spare('okx', 'plain'), { passphrase: undefined }));
  expect(passphrase.json().message).toContain('passphrase');
  for (const body of [
    { exchange: 'mtgox', provider_id: providers.bybit, apiKey: 'k', secretKey: 's' },
    { exchange: 'bybit', provider_id: 'not-a-uuid', apiKey: 'k', secretKey: 's' },
    { exchange: 'bybit', provider_id: providers.bybit, apiKey: 'k', secretKey: 's', extra: 1 },
  ])
    expect((await connect(body)).statusCode).toBe(400);
});

test('a key that may withdraw is connected with a reason only, stays marked, and is audited', async () => {
  const body = bodyOf(venues.spare('bybit', 'may_withdraw'));
  const before = await countAccounts();
  for (const withdraw_reason of [undefined, '', '  ']) {
    const refused = await connect({ ...body, ...(withdraw_reason !== undefined && { withdraw_reason }) });
    expect(refused.statusCode, refused.body).toBeGreaterThanOrEqual(400);
  }
  const refused = await connect(body);
  expect([refused.statusCode, refused.json().error]).toEqual([409, 'key_may_withdraw']);
  expect(await countAccounts()).toBe(before);
  const flagged = await connect({ ...body, withdraw_reason: 'The owner insists' });
  expect(flagged.json().data).toMatchObject({ may_withdraw: true, account_type: 'subaccount' });
  const [entry] = await asOwner<{ after: object }>(
    product.ownerUrl,
    `SELECT after FROM audit_entry WHERE action = 'exchange.connected' ORDER BY seq DESC LIMIT 1`,
  );
  expect(entry?.after).toMatchObject({ may_withdraw: true, withdraw_reason: 'The owner insists' });
  await remove('bybit', flagged.json().data.acc_uid);
});

test('a key that shuts us out is refused with the reason, and an empty one with the sentence of the specification', async () => {
  const shut = await connect(bodyOf(venues.spare('okx', 'ip_restricted_without_us')));
  expect(shut.json().message).toBe("Our address is not on the key's IP whitelist.");
  const empty = await connect(bodyOf(venues.spare('bybit', 'plain'), { apiKey: '' }));
  expect(empty.statusCode).toBe(400);
  expect(empty.body).toContain('For other exchanges, apiKey and secretKey are required.');
});

test('a key is replaced by another one of the same account, which stays what it is', async () => {
  const account = venues.spare('bybit', 'plain');
  const { data } = (await connect(bodyOf(account))).json();
  const before = await countAccounts();
  await asOwner(
    product.ownerUrl,
    `UPDATE exchange_account SET read_error = 'ip_not_allowed' WHERE acc_uid = '${data.acc_uid}'`,
  );
  const other = await connect({
    ...bodyOf(venues.spare('bybit', 'may_withdraw')),
    withdraw_reason: 'x',
    replaces: data.acc_uid,
  });
  expect([other.statusCode, other.json().error]).toEqual([409, 'exchange_other_account']);
  const sealed = () =>
    asOwner<{ sealed: string }>(
      product.ownerUrl,
      `SELECT encode(c.ciphertext, 'hex') AS sealed FROM exchange_credential c JOIN exchange_account a ON a.id = c.account_id
       WHERE a.acc_uid = '${data.acc_uid}' ORDER BY c.field`,
    );
  const old = await sealed();
  const replaced = await connect({ ...bodyOf(account), replaces: data.acc_uid });
  expect(replaced.statusCode, replaced.body).toBe(201);
  // The old secrets are gone with the same statement of facts, which is in the audit without either.
  const renewed = await sealed();
  expect(renewed).toHaveLength(old.length);
  expect(renewed.filter((row) => old.some(({ sealed }) => sealed === row.sealed))).toEqual([]);
  const [entry] = await asOwner<{ action: string; text: string }>(
    product.ownerUrl,
    'SELECT action, e::text AS text FROM audit_entry e ORDER BY seq DESC LIMIT 1',
  );
  expect(entry?.action).toBe('exchange.key_replaced');
  const { apiKey, secretKey } = venues.accounts.credentialsOf(account) as Record<string, string>;
  for (const secret of [apiKey, secretKey])
    for (const text of [replaced.body, entry?.text]) expect(text).not.toContain(secret);
  expect(replaced.json().data).toMatchObject({ acc_uid: data.acc_uid, read_error: null });
  expect(await countAccounts()).toBe(before);
  await remove('bybit', data.acc_uid);
  expect((await connect({ ...bodyOf(account), replaces: data.acc_uid })).statusCode).toBe(404);
});

test('a secret is revealed one at a time, and every time is in the audit, without the secret', async () => {
  const account = venues.spare('kucoin', 'plain');
  const { data } = (await connect(bodyOf(account))).json();
  const reveal = (field: string) =>
    send(
      product.app,
      'POST /api/traders/{id}/exchange/reveal',
      { params: { id: traderId }, body: { exchange: 'kucoin', acc_uid: data.acc_uid, field } },
      token,
    );
  const credentials = venues.accounts.credentialsOf(account) as { apiKey: string; passphrase: string };
  const first = await reveal('api_key');
  expect(first.json().data).toEqual({ field: 'api_key', value: credentials.apiKey, reveals_left: 9 });
  expect(first.headers['cache-control']).toContain('no-store');
  expect((await reveal('passphrase')).json().data.value).toBe(credentials.passphrase);
  expect((await reveal('agent_private_key')).statusCode).toBe(404);

  const audit = await send(
    product.app,
    'GET /api/traders/{id}/audit',
    { params: { id: traderId }, query: {} },
    token,
  );
  const revealed = audit
    .json()
    .data.filter((entry: { action: string }) => entry.action === 'exchange.credential_revealed');
  expect(revealed.map((entry: { after: { field: string } }) => entry.after.field)).toEqual([
    'passphrase',
    'api_key',
  ]);
  for (const secret of canaries()) expect(audit.body).not.toContain(secret);
  await remove('kucoin', data.acc_uid);
});

test('stored secrets can be put under another master key while they are read', async () => {
  const account = venues.spare('bybit', 'plain');
  const { data } = (await connect(bodyOf(account))).json();
  const old = 'test-master-key-0123456789-0123456789';
  const next = createKeyring('the next master key, 0123456789-0123456789', [old], 'test-index-key');
  const { rewrapped } = await rotateMasterKey(product.db, next, SEALED_TABLES);
  expect(rewrapped).toBeGreaterThan(50);
  expect(await rotateMasterKey(product.db, next, SEALED_TABLES)).toEqual({ rewrapped: 0 });
  const back = createKeyring(old, ['the next master key, 0123456789-0123456789'], 'test-index-key');
  const reading = Promise.all(
    Array.from({ length: 40 }, () => rotateMasterKey(product.db, back, SEALED_TABLES).then(() => 'done')),
  );
  expect(await reading).toHaveLength(40);
  const reveal = await send(
    product.app,
    'POST /api/traders/{id}/exchange/reveal',
    { params: { id: traderId }, body: { exchange: 'bybit', acc_uid: data.acc_uid, field: 'secret_key' } },
    token,
  );
  expect(reveal.json().data.value).toBe(
    (venues.accounts.credentialsOf(account) as { secretKey: string }).secretKey,
  );
  await remove('bybit', data.acc_uid);
});

test('no secret is in the log or anywhere in the database', async () => {
  const { data } = (await connect(bodyOf(venues.spare('okx', 'plain')))).json();
  await connect(bodyOf(venues.spare('okx', 'revoked')));
  const tables = await asOwner<{ name: string }>(
    product.ownerUrl,
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname IN ('public', 'pgboss', 'identity')`,
  );
  const dump: string[] = [product.logged.join('\n')];
  for (const { name } of tables) {
    const rows = await asOwner<{ row: string }>(product.ownerUrl, `SELECT t::text AS row FROM ${name} t`);
    dump.push(rows.map(({ row }) => row).join('\n'));
  }
  const everything = dump.join('\n');
  expect(everything).toContain(data.acc_uid);
  for (const secret of canaries()) {
    expect(everything.includes(secret)).toBe(false);
    expect(everything.includes(Buffer.from(secret).toString('hex'))).toBe(false);
  }
});

test('the journey of a key passes every file that its README names', async () => {
  const account = venues.spare('bybit', 'plain');
  const passed = await passedFiles(async () => {
    const answer = await connect(bodyOf(account));
    expect(answer.statusCode, answer.body).toBe(201);
  });
  const journey = { readme: 'exchanges', journey: 'The journey of an API key' };
  // The thread of the exchanges, and the turn of a worker that follows.
  const elsewhere = [
    'integrations/exchanges/threaded-gateway.ts',
    ...['account-reader.ts', 'readable-account.ts', 'read-account.ts'].map(
      (file) => `features/exchanges/reading/${file}`,
    ),
  ];
  expect(notPassed(journey, passed, elsewhere)).toEqual([]);
});
