import { findFreePort } from '../platform/process/free-port.ts';

/** Secrets of the simulated trading bot: public on purpose, because it trades simulated money only. */
const REQUEST_SECRET = 'requests to the bot of the demo world';
const ACKNOWLEDGEMENT_SECRET = 'answers of the bot of the demo world';

/**
 * The settings by which the demo world reaches its trading bot, and the bot reaches us.
 * @param port of the API; 0: unknown, so there is no bot
 */
export async function botSettings(areSimulated: boolean, port: number): Promise<Record<string, string>> {
  if (!areSimulated || port === 0) return {};
  const botPort = await findFreePort();
  return {
    SIMULATORS_PORT_TRADING_BOT: String(botPort),
    SIMULATORS_BOT_SECRET: REQUEST_SECRET,
    SIMULATORS_ACK_URL: `http://127.0.0.1:${port}/api/webhooks/trading-bot`,
    SIMULATORS_ACK_SECRET: ACKNOWLEDGEMENT_SECRET,
    TRADING_BOT_URL: `http://127.0.0.1:${botPort}`,
    TRADING_BOT_SECRET: REQUEST_SECRET,
    TRADING_BOT_ACK_SECRETS: ACKNOWLEDGEMENT_SECRET,
  };
}
