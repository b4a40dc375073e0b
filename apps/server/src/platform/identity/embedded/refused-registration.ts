import { PASSKEY_ERROR_CODES } from '@better-auth/passkey';

/**
 * The library answers a passkey that it cannot verify, of another origin for instance, with a status of 500. That is a
 * refusal, which the log has no need of.
 */
export async function asRefusal(response: Response): Promise<Response> {
  if (response.status !== 500) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  if (code !== PASSKEY_ERROR_CODES.FAILED_TO_VERIFY_REGISTRATION.code) return response;
  return Response.json(
    { code: 'PASSKEY_NOT_ACCEPTED', message: 'This passkey was not accepted. Please try again.' },
    { status: 400 },
  );
}
