import { BOUNDED_SETTINGS, type PlatformSettings, type WorkerBounds } from '@copydesk/domain/settings';
import type { SetupFacts } from '@copydesk/domain/setup';
import { sql } from 'kysely';
import { findWorkerBounds } from '../../core/settings/worker-bounds.ts';
import type { Tx } from '../../platform/db/database.ts';

/** What the database does not know. */
export interface SetUpOutside {
  publicUrl: string | null;
  mail: SetupFacts['mail'];
  chainId: number;
  /** See `SetupFacts`. */
  apiRunsAs: string | null;
  /** See `SetupFacts`. */
  poolKeysRecipient: string | null;
  settings: Pick<PlatformSettings, 'platform_weights' | 'payout_address_hold_hours' | keyof WorkerBounds>;
  /** Whether people sign in with passwords and second factors of ours. */
  hasOwnSignIn: boolean;
}

interface Row
  extends Pick<
    SetupFacts,
    | 'workers'
    | 'workersRunAs'
    | 'programProblem'
    | 'workersWithoutAuditKey'
    | 'poolKeysOfWorkers'
    | 'pools'
    | 'backup'
    | 'failedMails'
    | 'isDemo'
    | 'superAdmins'
    | 'superAdminsToCome'
    | 'hasTipAddress'
    | 'providers'
    | 'communities'
    | 'hasSeed'
    | 'gasAddress'
    | 'hasTrader'
    | 'hasExchangeAccount'
    | 'hasReadAccount'
  > {
  without_address: string[];
  without_factor: string[];
  stopped_because: string | null;
  seconds_behind: number | null;
  gas_wei: string | null;
  telegram: SetupFacts['telegram'];
}

/** How far an installation is set up. For super admins and operators, who see everything. */
export async function readSetupFacts(
  tx: Tx,
  { settings, chainId, hasOwnSignIn, ...outside }: SetUpOutside,
): Promise<SetupFacts> {
  const { rows } = await sql<Row>`
    SELECT
      live.workers, live."workersRunAs", live."programProblem", live."workersWithoutAuditKey",
      live."poolKeysOfWorkers", (SELECT count(*)::int FROM pooled_account) AS pools,
      (SELECT json_build_object('isEncrypted', r.is_encrypted IS TRUE,
          'hoursOld', extract(epoch FROM now() - r.taken_at)::int / 3600)
        FROM backup_record r WHERE r.finished_at IS NOT NULL ORDER BY r.taken_at DESC LIMIT 1) AS backup,
      (SELECT coalesce(json_agg(json_build_object('recipient', m.recipient, 'problem', m.problem)
          ORDER BY m.created_at DESC), '[]')
        FROM mail m WHERE m.state = 'failed' AND m.created_at > now() - interval '7 days') AS "failedMails",
      EXISTS (SELECT FROM demo_world) AS "isDemo",
      (SELECT count(*)::int FROM identity.person p
        WHERE p.super AND p.is_active AND p.disabled_at IS NULL AND p.confirmed_at IS NOT NULL) AS "superAdmins",
      (SELECT coalesce(array_agg(p.email ORDER BY p.email), '{}') FROM identity.person p
        WHERE p.super AND p.is_active AND p.disabled_at IS NULL AND NOT p.has_second_factor
          -- Personas have no device, and need none.
          AND NOT (p.email LIKE '%@demo.example' AND EXISTS (SELECT FROM demo_world))) AS without_factor,
      (SELECT coalesce(array_agg(p.email ORDER BY p.email), '{}') FROM identity.person p
        WHERE p.super AND p.disabled_at IS NULL
          AND (NOT p.is_active OR p.confirmed_at IS NULL)) AS "superAdminsToCome",
      (SELECT count(*)::int FROM provider p WHERE p.is_active) AS providers,
      (SELECT count(*)::int FROM community c WHERE NOT c.is_archived AND EXISTS (
        SELECT FROM community_provider l JOIN provider p ON p.id = l.provider_id AND p.is_active
        WHERE l.community_id = c.id AND l.is_active)) AS communities,
      (SELECT coalesce(array_agg(r.recipient_type ORDER BY r.recipient_type), '{}') FROM platform_recipient r
        WHERE r.address IS NULL) AS without_address,
      EXISTS (SELECT FROM platform_recipient r
        WHERE r.recipient_type = 'tip' AND r.address IS NOT NULL) AS "hasTipAddress",
      EXISTS (SELECT FROM deposit_key) AS "hasSeed",
      cursor.stopped_because, extract(epoch FROM now() - cursor.updated_at)::int AS seconds_behind,
      (SELECT h.gas_wei::text FROM transfer_heartbeat h WHERE h.chain_id = ${chainId}) AS gas_wei,
      (SELECT w.address FROM chain_wallet w WHERE w.role = 'gas' AND w.chain_id = ${chainId}) AS "gasAddress",
      (SELECT json_build_object('username', u.username, 'problem', u.problem) FROM platform_bot_use u
        WHERE u.source <> 'none') AS telegram,
      EXISTS (SELECT FROM trader) AS "hasTrader",
      EXISTS (SELECT FROM exchange_account a WHERE a.removed_at IS NULL) AS "hasExchangeAccount",
      EXISTS (SELECT FROM exchange_account a WHERE a.removed_at IS NULL AND a.equity_read_at IS NOT NULL
        AND a.read_error IS NULL) AS "hasReadAccount"
    FROM (SELECT count(*)::int AS workers, min(w.program_problem) AS "programProblem",
        coalesce(json_agg(w.runs_as ORDER BY w.worker_id), '[]') AS "workersRunAs",
        coalesce(json_agg(w.pool_keys_recipients ORDER BY w.worker_id), '[]') AS "poolKeysOfWorkers",
        count(*) FILTER (WHERE NOT w.has_audit_key)::int AS "workersWithoutAuditKey"
      FROM worker_heartbeat w WHERE w.seen_at > now() - interval '30 seconds' AND w.ended_at IS NULL) live
    LEFT JOIN chain_cursor cursor ON cursor.chain_id = ${chainId}
    LIMIT 1`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error('a query without a table of its own returns one row');
  const { stopped_because: stoppedBecause, seconds_behind: secondsBehind, gas_wei: wei } = row;
  const { platform_weights: weights, payout_address_hold_hours: addressHoldHours } = settings;
  const bounds = await findWorkerBounds(tx);
  const { superAdminsToCome, hasTipAddress } = row;
  const { workersRunAs, programProblem, workersWithoutAuditKey, isDemo } = row;
  const { poolKeysOfWorkers, pools, backup, failedMails } = row;
  const { workers, superAdmins, providers, communities, hasSeed, gasAddress, telegram } = row;
  return {
    ...outside,
    workers,
    workersRunAs,
    programProblem,
    workersWithoutAuditKey,
    poolKeysOfWorkers,
    pools,
    backup,
    failedMails,
    isDemo,
    superAdmins,
    superAdminsWithoutFactor: hasOwnSignIn ? row.without_factor : [],
    superAdminsToCome,
    hasTipAddress,
    missingLimits: BOUNDED_SETTINGS.filter(
      (name) => settings[name] === null || (bounds !== null && bounds[name] === null),
    ),
    addressHoldHours,
    providers,
    communities,
    hasSeed,
    gasAddress,
    telegram,
    recipientsWithoutAddress: row.without_address.filter((type) => weights[type as keyof typeof weights] > 0),
    chain: secondsBehind === null ? null : { stoppedBecause, secondsBehind },
    gasWei: wei === null ? null : BigInt(wei),
    hasTrader: row.hasTrader,
    hasExchangeAccount: row.hasExchangeAccount,
    hasReadAccount: row.hasReadAccount,
  };
}
