import { expect, test } from 'vitest';
import { canonicalUrl, connectionProblem, isTransportSafe, readAddress } from './database-url.ts';

const isSafe = (place: string) => isTransportSafe(`postgres://login:secret@${place}`, 'DATABASE_URL');

test.each([
  '127.0.0.1:5432/copydesk',
  'localhost/copydesk',
  '[::1]/copydesk',
  '%2Frun%2Fpostgresql/copydesk',
])('the database is on this machine: %s', (place) => expect(isSafe(place)).toBe(true));

test('an address without a host is that of this machine, and a host among the options counts', () => {
  expect(isTransportSafe('postgres:///copydesk?host=/run/postgresql', 'DATABASE_URL')).toBe(true);
  expect(isSafe('127.0.0.1/copydesk?host=db.example')).toBe(false);
});

test.each([
  '',
  '?sslmode=disable',
  '?sslmode=no-verify',
  '?ssl=true&sslmode=disable',
  '?ssl=true&sslmode=no-verify',
  '?uselibpqcompat=true&sslmode=require',
])('another machine takes TLS that compares names, not %j', (query) =>
  expect(isSafe(`db.example/copydesk${query}`)).toBe(false),
);

test.each(['?sslmode=verify-full', '?sslmode=require', '?sslmode=verify-ca', '?ssl=true'])(
  'programs compare names with %j, and those of PostgreSQL do as they do',
  (query) => {
    expect(isSafe(`db.example/copydesk${query}`)).toBe(true);
    expect(read(`db.example/copydesk${query}`).tls).toBe('full');
  },
);

test.each(['127.0.0.1.example', 'localhost.example', '10.0.0.1', '1270.0.0.1'])(
  '%s is another machine, and its name can be verified',
  (host) => {
    expect(isSafe(`${host}/copydesk`)).toBe(false);
    expect(isSafe(`${host}/copydesk?sslmode=verify-full&sslrootcert=${import.meta.filename}`)).toBe(true);
  },
);

const read = (place: string, login = 'login:secret') =>
  readAddress(`postgres://${login}@${place}`, 'DATABASE_URL');

test.each([
  ['50%off', '50%off'],
  ['50%25off', '50%off'],
  ['a b%2Fc%', 'a b/c%'],
  ['p%40ss%3Aword', 'p@ss:word'],
])('a password is written %s and means %s', (written, password) => {
  expect(read('db.example/copydesk', `login:${written}`)).toMatchObject({ user: 'login', password });
  // The same to whoever reads what this makes of it.
  const canonical = canonicalUrl(`postgres://login:${written}@db.example/copydesk`, 'DATABASE_URL');
  expect(readAddress(canonical, 'DATABASE_URL').password).toBe(password);
});

test('what can mean nothing, or two things, is refused without the password', () => {
  const refusal = (url: string) => {
    try {
      readAddress(url, 'DATABASE_URL');
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusal('postgres://login:100%abc@db.example/copydesk')).toBe(
    'DATABASE_URL: a percent sign in it begins no character. Write a percent sign of a password as %25.',
  );
  expect(refusal('postgres://login:se/cret@db.example/copydesk')).toMatch(
    /^DATABASE_URL is not a PostgreSQL/,
  );
  expect(refusal('postgres://login:s3cret@::1/copydesk')).toMatch(/IPv6 address in brackets/);
  expect(refusal('postgres://login:s3cret@db.example/copydesk?sslmode=verify')).toMatch(
    /^DATABASE_URL: sslmode=verify is not known/,
  );
  expect(
    refusal('postgres://login:s3cret@db.example/copydesk?sslmode=verify-full&sslrootcert=/nowhere/ca.crt'),
  ).toBe('DATABASE_URL: /nowhere/ca.crt: there is no such file or folder.');
});

test.each([
  ['[::1]:5433/copydesk', { host: '::1', port: 5433, database: 'copydesk', tls: 'none' }],
  ['%2Frun%2Fpostgresql/copydesk', { host: '/run/postgresql', port: 5432 }],
  ['db.example/copydesk?sslmode=no-verify', { host: 'db.example', tls: 'unverified' }],
  ['db.example/copydesk?sslmode=disable', { tls: 'none' }],
  ['db.example/copydesk?uselibpqcompat=true&sslmode=require', { tls: 'unverified' }],
  ['db.example/copydesk?sslmode=verify-full&sslrootcert=system', { tls: 'full', files: { authority: null } }],
])('%s is what node-pg connects to', (place, expected) => expect(read(place)).toMatchObject(expected));

const failed = (code: string, message = 'failed', more: object = {}) =>
  Object.assign(new Error(message), { code, ...more });
const exitCodeOf = (error: Error) =>
  connectionProblem(error, 'postgres://login:secret@db.example/copydesk', 'DATABASE_URL').exitCode;

test.each([
  failed('ECONNREFUSED'),
  failed('EAI_AGAIN'),
  failed('08P01'),
  failed('53100'),
  failed('53300'),
  failed('57P02'),
  failed('57P05'),
  failed('57014'),
  // A server of this machine that is not up yet has no socket.
  failed('ENOENT', 'connect ENOENT /run/postgresql/.s.PGSQL.5432', { syscall: 'connect' }),
  new Error('Connection terminated: the database was silent for 10 s'),
  new Error('Connection terminated unexpectedly'),
])('what may pass is no wrong setting: %s', (error) => expect(exitCodeOf(error)).toBe(1));

test.each([
  failed('28P01'),
  failed('3D000'),
  failed('SELF_SIGNED_CERT_IN_CHAIN'),
  failed('ERR_TLS_CERT_ALTNAME_INVALID'),
  failed('ENOENT', 'no file', { path: '/etc/ca.crt', syscall: 'open' }),
  new Error('The server does not support SSL connections'),
])('the next start would fail as this one: %s', (error) => expect(exitCodeOf(error)).toBe(78));
