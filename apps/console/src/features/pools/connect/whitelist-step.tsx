import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../../../lib/api/api-error.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { CopyButton } from '../../../ui/figures/copy-button.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { harvestProgressQuery, type PooledAccount, poolKeyQuery } from '../pools-queries.ts';

/** The worker sets up the wallet of a new pool within seconds. */
const SET_UP_EVERY_MS = 3_000;

/** What the owner has to whitelist at the exchange, and what the key turned out to be. */
export function WhitelistStep({ pool, onClose }: { pool: PooledAccount; onClose(): void }) {
  const navigate = useNavigate();
  const progress = useQuery({
    ...harvestProgressQuery(pool),
    refetchInterval: ({ state: { data } }) =>
      data?.proxy_address || pool.awaits_approval ? false : SET_UP_EVERY_MS,
  });
  const key = useQuery(poolKeyQuery(pool.id));
  const address = progress.data?.proxy_address;
  const approved = progress.data?.deposit_address.approved;
  return (
    <>
      <p className="text-pretty">
        {pool.awaits_approval &&
          'Once it is approved, the page of the pool shows the address of its wallet. '}
        On Bybit, the owner adds this address to the withdrawal whitelist, for USDT on BNB Smart Chain
        (BEP-20). Bybit blocks withdrawals to a new address for 24 hours.
      </p>
      <div className="my-3 rounded-md border border-line bg-subtle px-3 py-2">
        {pool.awaits_approval ? (
          <span className="text-muted">The address follows with the approval.</span>
        ) : address ? (
          <span className="flex items-center justify-between gap-2">
            <span className="font-mono text-sm break-all">{address}</span>
            <CopyButton what="address of the proxy wallet" getText={() => address} />
          </span>
        ) : (
          <span className="text-muted">The address is being set up...</span>
        )}
      </div>
      {progress.error && !progress.data && (
        <ErrorLine message={messageOf(progress.error)} onRetry={() => void progress.refetch()} />
      )}
      <Facts>
        <Fact label="Bybit account">
          {key.data ? (
            <span className="tabular-nums">
              {key.data.uid} <span className="text-muted">{key.data.isMaster ? 'master' : 'subaccount'}</span>
            </span>
          ) : (
            <span className="text-muted">{key.error ? messageOf(key.error) : 'Reading...'}</span>
          )}
        </Fact>
        {key.data && (
          <Fact label="Key">
            {key.data.isRestricted ? (
              `Restricted to ${key.data.ips.length === 1 ? '1 address' : `${key.data.ips.length} addresses`}`
            ) : (
              <span className="text-caution">
                Not restricted to addresses
                {key.data.expires_at && `, expires on ${key.data.expires_at.slice(0, 10)}`}
              </span>
            )}
          </Fact>
        )}
        {progress.data && (
          <Fact label="Deposit address at Bybit">
            {(approved ?? progress.data.deposit_address.read) ? (
              <span className="font-mono text-sm break-all">
                {approved ?? progress.data.deposit_address.read}
              </span>
            ) : (
              <span className="text-caution">Not readable with this key: set it on the page of the pool</span>
            )}
          </Fact>
        )}
      </Facts>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          onClick={() => void navigate({ to: '/pools/$poolId', params: { poolId: pool.id } })}
        >
          Open pool
        </Button>
      </div>
    </>
  );
}
