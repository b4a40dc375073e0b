import type { PlatformSettings } from '@copydesk/domain/settings';
import { parseGwei, parseUnits } from 'viem';
import type { Config } from '../../config.ts';
import type { LiveSettings } from '../../core/settings/live-settings.ts';
import { setUpPoolAddresses } from '../../features/pools/addresses/set-up-pool-addresses.ts';
import { checkNonces } from '../../features/transfers/engine/check-nonces.ts';
import type { TransferEngine } from '../../features/transfers/engine/engine.ts';
import { createHeartbeat } from '../../features/transfers/engine/heartbeat.ts';
import { takeTransferTurn } from '../../features/transfers/engine/transfer-turn.ts';
import { setUpWallets } from '../../features/transfers/wallets/set-up-wallets.ts';
import { ChainSilent, createChainSender } from '../../integrations/chain/chain-sender.ts';
import { createWalletKeys } from '../../integrations/chain/wallet-keys.ts';
import type { AuditKeys } from '../../platform/audit/entry-hashes.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts';
import { TOKEN_DECIMALS } from '../chain-settings.ts';
import { TRANSFER_PURPOSES } from '../transfer-purposes.ts';

/** About as often as a block of BNB Smart Chain becomes final. */
const LOOK_EVERY_MS = 2_000;
/** New communities get their wallets within this time. */
const SET_UP_EVERY_MS = 30_000;
/** A chain started together with this process, as in the demo world, answers slightly later. */
const START_PATIENCE_MS = 30_000;
/** Nodes queue this many transactions of one sender. */
const IN_FLIGHT = 64;
const STUCK_MS = 60_000;
const RESEND_MS = 10_000;
const DOUBT_MS = 60_000;

/** The configured transfer engine, with all purposes. */
export function createTransferEngine({
  config: { chain: chainSettings, hardBounds, durability },
  settings,
  seed,
  db,
  auditKeys,
  log,
}: {
  config: Pick<Config, 'chain' | 'hardBounds' | 'durability'>;
  settings: Pick<LiveSettings, 'current' | 'refresh'>;
  seed: Uint8Array;
  db: Database;
  auditKeys: AuditKeys;
  log: Logger;
}): TransferEngine {
  return {
    db,
    auditKeys,
    log,
    now: () => new Date(),
    durability,
    chain: createChainSender(chainSettings),
    chainId: chainSettings.chainId,
    tokenAddress: chainSettings.tokenAddress.toLowerCase(),
    keys: createWalletKeys(seed),
    purposes: TRANSFER_PURPOSES,
    ...limitsOf(settings.current()),
    hardMaxUnits: unitsOf(hardBounds.hardMaxUsdt),
    gasBounds: hardBounds.gas,
    minTipWei: parseGwei(chainSettings.minTipGwei),
    inFlight: IN_FLIGHT,
    stuckMs: STUCK_MS,
    resendMs: RESEND_MS,
    doubtMs: DOUBT_MS,
    doubts: new Map(),
  };
}

const unitsOf = (usdt: number | null) => (usdt === null ? null : parseUnits(String(usdt), TOKEN_DECIMALS));

function limitsOf(
  settings: PlatformSettings,
): Pick<TransferEngine, 'limits' | 'maxFeeWei' | 'stopAfterSetAside'> {
  const { payout_max_per_transaction, payout_max_per_day, chain_max_fee_gwei, stop_after_set_aside } =
    settings;
  return {
    limits: { perTransaction: unitsOf(payout_max_per_transaction), perDay: unitsOf(payout_max_per_day) },
    maxFeeWei: parseGwei(String(chain_max_fee_gwei)),
    stopAfterSetAside: stop_after_set_aside,
  };
}

/** Signs, sends and watches transfers until it is stopped. */
export function startTransferLoop(deps: Parameters<typeof createTransferEngine>[0]): WorkLoop {
  const engine = createTransferEngine(deps);
  const withHeartbeat = createHeartbeat(engine, (error) => error instanceof ChainSilent);
  const startedAt = Date.now();
  let setUpAt = 0;
  let isChecked = false;
  const turnOf = async (noting: TransferEngine, stopped: AbortSignal) => {
    if (Date.now() - setUpAt > SET_UP_EVERY_MS) {
      await setUpWallets(engine);
      await setUpPoolAddresses(engine);
      setUpAt = Date.now();
    }
    if (!isChecked) {
      try {
        await engine.chain.check(engine.chainId);
      } catch (error) {
        if (error instanceof ChainSilent && Date.now() - startedAt < START_PATIENCE_MS) return false;
        throw error;
      }
      await checkNonces(engine);
    }
    isChecked = true;
    return takeTransferTurn(noting, stopped);
  };
  return startWorkLoop({
    name: 'transfers',
    everyMs: LOOK_EVERY_MS,
    log: deps.log,
    turn: async (stopped) => {
      await deps.settings.refresh();
      Object.assign(engine, limitsOf(deps.settings.current()));
      return withHeartbeat((noting) => turnOf(noting, stopped));
    },
  });
}
