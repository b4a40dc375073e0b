import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { Statements } from '../../../db/statements.ts';
import { KEY_GRACE_S } from '../auth-instance.ts';

/** Tokens with made-up key ids cannot make us read the keys more often than this. */
const RELOAD_COOL_DOWN_MS = 5_000;
/** Expired keys are forgotten within this time. */
const MAX_AGE_MS = 3_600_000;

export type KeySet = ReturnType<typeof createLocalJWKSet>;

export interface SigningKeys {
  current(): Promise<KeySet>;
  /** Reads the keys again because one was unknown; null while the last read is too recent. */
  reload(): Promise<KeySet | null>;
}

/** The public halves of our signing keys, cached in memory. */
export function createSigningKeys(statements: Statements, now: () => Date): SigningKeys {
  let loaded: { keys: KeySet; at: number } | null = null;
  let loading: Promise<KeySet> | null = null;

  const load = () => {
    loading ??= readKeys(statements, now())
      .then((keys) => {
        loaded = { keys, at: now().getTime() };
        return keys;
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  };

  return {
    async current() {
      return loaded && now().getTime() - loaded.at < MAX_AGE_MS ? loaded.keys : load();
    },
    async reload() {
      return loaded && now().getTime() - loaded.at < RELOAD_COOL_DOWN_MS ? null : load();
    },
  };
}

async function readKeys(statements: Statements, at: Date): Promise<KeySet> {
  const { rows } = await statements.query<{ id: string; public_key: string }>(
    `SELECT id, public_key FROM identity.jwks
     WHERE expires_at IS NULL OR expires_at + make_interval(secs => $1) > $2`,
    [KEY_GRACE_S, at],
  );
  const keys = rows.map((row) => ({ ...JSON.parse(row.public_key), kid: row.id, alg: 'EdDSA' }));
  return createLocalJWKSet({ keys } as JSONWebKeySet);
}
