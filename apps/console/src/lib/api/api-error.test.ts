import { ERRORS } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { ApiError, errorFromResponse, errorText, messageOf } from './api-error.ts';

test.each([
  [{ error: 'not_found', message: 'No such trader' }, undefined, 'No such trader'],
  [{ error: 'Trader is locked', message: 'ignored' }, undefined, 'Trader is locked'],
  [{ error: 'bad_gateway' }, undefined, 'bad_gateway'],
  [{ message: 'Only this' }, undefined, 'Only this'],
  [null, new Error('It broke'), 'It broke'],
  [{ error: '', message: ' ' }, undefined, 'Unknown error'],
  ['<html>', undefined, 'Unknown error'],
])('the text of %j with exception %s is "%s"', (body, exception, expected) => {
  expect(errorText(body, exception)).toBe(expected);
});

test('an error answer keeps code, status, details and request id', async () => {
  const body = {
    success: false,
    error: 'validation_failed',
    message: 'Invalid input',
    details: [{ path: 'name', message: 'Required' }],
  };
  const error = await errorFromResponse(
    Response.json(body, { status: 400, headers: { 'x-request-id': 'r-1' } }),
  );
  expect(error).toMatchObject({
    code: 'validation_failed',
    status: 400,
    message: 'Invalid input',
    requestId: 'r-1',
  });
  expect(error.details).toEqual([{ path: 'name', message: 'Required' }]);
});

test('an answer that is no JSON says its status', async () => {
  const error = await errorFromResponse(new Response('<html>Bad gateway</html>', { status: 502 }));
  expect(error).toMatchObject({
    code: 'http_502',
    status: 502,
    message: 'The server answered with status 502',
  });
});

test.each([
  ['Enter the token that BotFather gave you', 'Enter the token that BotFather gave you'],
  [
    'Too small: expected string to have >=1 characters',
    'token: Too small: expected string to have >=1 characters',
  ],
])('of one refused field whose text is "%s", a person reads "%s"', (message, expected) => {
  const refused = { code: 'validation_failed', status: 400, details: [{ path: 'token', message }] };
  expect(messageOf(new ApiError({ ...refused, message: `token: ${message}` }))).toBe(expected);
});

test('of several refused fields a person reads the first with its name', () => {
  const details = ['a', 'b'].map((path) => ({ path, message: 'Enter a number' }));
  const error = new ApiError({
    code: 'validation_failed',
    status: 400,
    message: 'a: Enter a number',
    details,
  });
  expect(messageOf(error)).toBe('a: Enter a number');
});

test('while the database takes no changes, the console says what works and when to try again', async () => {
  const { message } = ERRORS.writes_unavailable;
  const error = await errorFromResponse(
    Response.json({ success: false, error: 'writes_unavailable', message }, { status: 503 }),
  );
  expect(messageOf(error)).toBe(
    'Changes are not possible at the moment. Reading works. Try again in a minute.',
  );
});

test('a change on the ground of old values says that the form was reloaded', () => {
  const message = 'This was changed by ada@example.com meanwhile.';
  const error = new ApiError({
    code: 'changed_meanwhile',
    status: 409,
    message,
    details: [{ path: 'super', message: 'Changed meanwhile' }],
  });
  expect(messageOf(error)).toBe(`${message} It has been reloaded; check it and save again.`);
});
