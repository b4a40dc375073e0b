import { randomBytes } from 'node:crypto';
import { requirePort } from '../launcher/listening-port.ts';

/** A killed start releases its port within this time. */
const PATIENCE_MS = 5_000;

/**
 * The settings by which the demo world reaches Telegram: the simulated one, under a token of this start. A world
 * without simulators has no bot, whatever the environment says: its traders are not real people.
 * @param wantedPort 0: any free one
 */
export async function telegramSettings(
  areSimulated: boolean,
  wantedPort = 0,
): Promise<Record<string, string>> {
  if (!areSimulated) return { TELEGRAM_BOT_TOKEN: '' };
  const port = await requirePort(wantedPort, '127.0.0.1', {
    patienceMs: PATIENCE_MS,
    variable: 'SIMULATORS_PORT_TELEGRAM',
  });
  const token = `1000001:${randomBytes(26).toString('base64url')}`;
  return {
    SIMULATORS_PORT_TELEGRAM: String(port),
    SIMULATORS_TELEGRAM_TOKEN: token,
    TELEGRAM_API_URL: `http://127.0.0.1:${port}`,
    TELEGRAM_BOT_TOKEN: token,
  };
}
