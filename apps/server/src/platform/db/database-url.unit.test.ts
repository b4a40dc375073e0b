import { expect, test } from 'vitest';
import { isTransportSafe } from './database-url.ts';

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

test.each(['', '?sslmode=require', '?sslmode=no-verify', '?sslmode=verify-ca', '?ssl=true'])(
  'another machine takes TLS that compares names, not %j',
  (query) => expect(isSafe(`db.example/copydesk${query}`)).toBe(false),
);

test.each(['127.0.0.1.example', 'localhost.example', '10.0.0.1', '1270.0.0.1'])(
  '%s is another machine, and its name can be verified',
  (host) => {
    expect(isSafe(`${host}/copydesk`)).toBe(false);
    expect(isSafe(`${host}/copydesk?sslmode=verify-full&sslrootcert=/etc/ca.crt`)).toBe(true);
  },
);
