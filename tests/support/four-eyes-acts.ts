import type { Person } from './identity/people.ts';
import { newAddress } from './world/addresses.ts';
import type { OwingWorld } from './world/owing-world.ts';

/** Somebody whose request this is, or who approves it. */
export type Actor = Pick<Person, 'id' | 'authorization'>;

/** What takes two persons. A further kind is one more entry: the attack tries all of its ways on it. */
export interface TwoPersonAct {
  name: string;
  /** Asks for it. @returns what the approval names */
  request: (world: OwingWorld, by: Actor) => Promise<string>;
  approve: (
    world: OwingWorld,
    id: string,
    as: Actor,
  ) => Promise<{ status: number; error: string | undefined }>;
  /** Ends what waits, so that the next way begins anew. */
  withdraw?: (world: OwingWorld, id: string) => Promise<unknown>;
  /** Changes the thing after it was asked for. @returns the refusal that its approval has to have */
  change?: (world: OwingWorld, id: string, by: Actor) => Promise<string>;
  /** Refusals that the act has other words for. */
  words?: Partial<Record<'own_approval', string>>;
  /** Whether it ends with its requester. */
  isVoidWithRequester: boolean;
  /** Whether a world without chain and exchange can carry it out. */
  canSucceed: boolean;
}

const asked = async (
  world: OwingWorld,
  call: string,
  params: Record<string, string>,
  as: Actor,
  body?: object,
): Promise<{ status: number; error: string | undefined; body: Record<string, never> }> => {
  const answer = await world.askAnything(
    call as never,
    { params, ...(body && { body }) },
    {},
    as.authorization,
  );
  return { status: answer.status, error: answer.body.error, body: answer.body as never };
};
const idIn = (answer: { status: number; body: object }, id: unknown): string => {
  if (typeof id !== 'string') throw new Error(`not asked for: ${JSON.stringify(answer)}`);
  return id;
};

const HOLD = 'payout_address_hold_hours';
const changesOf = (ownerId: string) =>
  ['SELECT id FROM payout_address_change WHERE owner_id = $1', [ownerId]] as const;

export const TWO_PERSON_ACTS: readonly TwoPersonAct[] = [
  {
    name: 'a distribution above the limit',
    async request(world, by) {
      const community = await world.addCommunity();
      await world.addPaid(community, 100);
      const answer = await world.distribute(community.id, {}, {}, by.authorization);
      return idIn(answer, answer.body.data?.distribution?.id);
    },
    approve: (world, id, as) => asked(world, 'POST /api/super-admin/distributions/{id}/approve', { id }, as),
    isVoidWithRequester: true,
    canSucceed: true,
  },
  {
    name: 'a setting that is loosened',
    async request(world, by) {
      const { body } = await world.askAnything('GET /api/platform-settings', {}, {}, by.authorization);
      const setting = (body as unknown as { data: { name: string; version: number }[] }).data.find(
        ({ name }) => name === HOLD,
      );
      const answer = await asked(world, 'PUT /api/platform-settings', {}, by, {
        set: { [HOLD]: 20 },
        version: setting?.version,
      });
      return idIn(answer, (answer.body as { data?: { waiting?: { id: string } } }).data?.waiting?.id);
    },
    approve: (world, id, as) => asked(world, 'POST /api/platform-settings/changes/{id}/approve', { id }, as),
    withdraw: (world) =>
      world.owner(
        "UPDATE platform_setting_change SET state = 'declined', decided_at = now(), decided_by_id = 'test', decided_by = 'Test' WHERE state = 'waiting'",
      ),
    async change(world) {
      await world.owner(
        `INSERT INTO platform_setting (name, value, changed_at, changed_by) VALUES ($1, '30', now(), 'x')`,
        [HOLD],
      );
      return 'setting_changed';
    },
    isVoidWithRequester: true,
    canSucceed: true,
  },
  {
    name: 'the release of an address',
    async request(world, by) {
      const { id } = await world.addCommunity();
      const answer = await asked(world, 'PATCH /api/communities/{id}', { id }, by, {
        external_wallet_address: newAddress(),
      });
      const [change] = await world.owner<{ id: string }>(changesOf(id)[0], [id]);
      return idIn(answer, change?.id);
    },
    approve: (world, id, as) =>
      asked(world, 'POST /api/super-admin/payout-addresses/{id}/release', { id }, as),
    async change(world, id, by) {
      const [change] = await world.owner<{ owner_id: string }>(
        'SELECT owner_id FROM payout_address_change WHERE id = $1',
        [id],
      );
      await asked(world, 'PATCH /api/communities/{id}', { id: change?.owner_id ?? '' }, by, {
        external_wallet_address: newAddress(),
      });
      return 'not_found';
    },
    words: { own_approval: 'own_release' },
    // A release is about the address, which stays whoever set it.
    isVoidWithRequester: false,
    canSucceed: true,
  },
  {
    name: 'a decision about an arrival at a pool',
    async request(world, by) {
      const [row] = await world.owner<{ id: string }>(
        `WITH arrival AS (
           INSERT INTO pool_arrival (pooled_account_id, cycle_id, chain_id, token_address, transaction_hash, log_index,
             block_number, from_address, amount_units, state)
           SELECT h.pooled_account_id, h.id, 56, '0x' || repeat('1', 40), '0x' || md5(random()::text) || md5(random()::text), 0, 1,
             '0x' || repeat('2', 40), 100, 'unexplained' FROM harvest_cycle h ORDER BY h.id LIMIT 1 RETURNING id)
         INSERT INTO pool_arrival_decision (arrival_id, kind, amount_units, evidence, requested_by_id, requested_by)
         SELECT id, 'is_return', 100, 'x', $1, 'x' FROM arrival RETURNING id`,
        [by.id],
      );
      return row?.id ?? '';
    },
    async approve(world, decisionId, as) {
      const [place] = await world.owner<{ id: string; arrivalId: string }>(
        `SELECT a.pooled_account_id AS id, a.id AS "arrivalId" FROM pool_arrival_decision d
         JOIN pool_arrival a ON a.id = d.arrival_id WHERE d.id = $1`,
        [decisionId],
      );
      return asked(
        world,
        'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/confirm',
        { ...(place as { id: string; arrivalId: string }), decisionId },
        as,
      );
    },
    isVoidWithRequester: true,
    canSucceed: false,
  },
];
