import { expect, test } from 'vitest';
import { checkSetup, SETUP_STEPS, type SetupFacts, type SetupStep } from './checklist.ts';

const EMPTY: SetupFacts = {
  workers: 0,
  workersRunAs: [],
  programProblem: null,
  apiRunsAs: '997@host',
  workersWithoutAuditKey: 0,
  isDemo: false,
  superAdmins: 0,
  superAdminsWithoutFactor: [],
  superAdminsToCome: [],
  publicUrl: null,
  mail: null,
  providers: 0,
  communities: 0,
  recipientsWithoutAddress: ['hexmount', 'sixk'],
  hasTipAddress: false,
  hasSeed: false,
  chain: null,
  gasWei: null,
  gasAddress: null,
  telegram: null,
  hasTrader: false,
  hasExchangeAccount: false,
  hasReadAccount: false,
  missingLimits: ['approval_above_usdt', 'payout_max_per_transaction', 'payout_max_per_day'],
  addressHoldHours: 0,
  poolKeysRecipient: null,
  poolKeysOfWorkers: [],
  pools: 0,
  backup: null,
  failedMails: [],
};
const READY: SetupFacts = {
  workers: 2,
  workersRunAs: ['998@host', '998@other'],
  programProblem: null,
  apiRunsAs: '997@host',
  workersWithoutAuditKey: 0,
  isDemo: false,
  superAdmins: 2,
  publicUrl: 'https://console.example.com',
  superAdminsWithoutFactor: [],
  superAdminsToCome: [],
  mail: { problem: null },
  providers: 1,
  communities: 1,
  recipientsWithoutAddress: [],
  hasTipAddress: true,
  hasSeed: true,
  chain: { stoppedBecause: null, secondsBehind: 3 },
  gasWei: 1n,
  gasAddress: '0xabc',
  telegram: { username: 'desk_bot', problem: null },
  hasTrader: true,
  hasExchangeAccount: true,
  hasReadAccount: true,
  missingLimits: [],
  addressHoldHours: 24,
  poolKeysRecipient: 'age1new',
  // In the course of a change of the pair.
  poolKeysOfWorkers: [['age1new'], ['age1newer', 'age1new']],
  pools: 1,
  backup: { isEncrypted: true, hoursOld: 26 },
  failedMails: [],
};

test('an empty installation misses every step, and says what to do', () => {
  const steps = checkSetup(EMPTY);
  expect(steps.map(({ step }) => step)).toEqual([...SETUP_STEPS]);
  expect(steps.map(({ state }) => state)).toEqual(SETUP_STEPS.map(() => 'missing'));
  for (const { text } of steps) expect(text).toMatch(/^[A-Z].*\.$/);
});

test('a complete one is done', () => {
  expect(checkSetup(READY).filter(({ state }) => state !== 'done')).toEqual([]);
});

test.each<[SetupStep, string, RegExp, Partial<SetupFacts>]>([
  ['public_address', 'wrong', /not https/, { publicUrl: 'http://10.0.0.1' }],
  ['programs', 'wrong', /same user as an API/, { workersRunAs: ['998@host', '997@host'] }],
  ['programs', 'wrong', /below npm start/, { workersRunAs: [null], apiRunsAs: null }],
  [
    'programs',
    'wrong',
    /reports: Another user could change/,
    { programProblem: 'Another user could change it.' },
  ],
  ['programs', 'done', /demo world/, { workersRunAs: [null], apiRunsAs: null, isDemo: true }],
  ['audit_key', 'missing', /Set AUDIT_WORKER_KEY/, { workersWithoutAuditKey: 1 }],
  [
    'pool_keys',
    'wrong',
    /no POOL_KEYS_IDENTITY\. Keys of pools are/,
    { poolKeysOfWorkers: [['age1new'], []] },
  ],
  ['pool_keys', 'missing', /No pool can be connected/, { pools: 0, poolKeysOfWorkers: [[]] }],
  ['pool_keys', 'wrong', /no POOL_KEYS_RECIPIENT\. Keys of pools are/, { poolKeysRecipient: null }],
  ['pool_keys', 'missing', /POOL_KEYS_RECIPIENT\. No pool/, { pools: 0, poolKeysRecipient: null }],
  ['pool_keys', 'wrong', /age1newer, is not the public key/, { poolKeysRecipient: 'age1newer' }],
  ['pool_keys', 'missing', /No worker runs/, { workers: 0, poolKeysOfWorkers: [] }],
  [
    'mail',
    'done',
    /2 mails of the last seven days failed, the latest to a@desk\.example \(550\)/,
    {
      failedMails: [
        { recipient: 'a@desk.example', problem: '550' },
        { recipient: 'b@desk.example', problem: 'expired' },
      ],
    },
  ],
  ['backups', 'missing', /Set BACKUP_AGE_RECIPIENTS/, { backup: null }],
  [
    'backups',
    'wrong',
    /not encrypted\. Set BACKUP_AGE_RECIPIENTS/,
    { backup: { isEncrypted: false, hoursOld: 1 } },
  ],
  ['backups', 'wrong', /27 hours old/, { backup: { isEncrypted: true, hoursOld: 27 } }],
  ['backups', 'done', /demo world/, { backup: null, isDemo: true }],
  ['recipients', 'missing', /address of Sixk under/, { recipientsWithoutAddress: ['sixk'] }],
  ['chain', 'wrong', /Another chain\.$/, { chain: { stoppedBecause: 'Another chain.', secondsBehind: 0 } }],
  ['chain', 'wrong', /No new block/, { chain: { stoppedBecause: null, secondsBehind: 700 } }],
  [
    'super_admin',
    'missing',
    /^a@desk\.example and b@desk\.example need an authenticator app/,
    { superAdminsWithoutFactor: ['a@desk.example', 'b@desk.example'] },
  ],
  [
    'second_super_admin',
    'missing',
    /^b@desk\.example must accept the invitation/,
    { superAdmins: 1, superAdminsToCome: ['b@desk.example'] },
  ],
  ['mail', 'wrong', /does not accept our mail: refused/, { mail: { problem: 'refused' } }],
  ['recipients', 'done', /Tips have none/, { hasTipAddress: false }],
  ['address_hold', 'missing', /at once/, { addressHoldHours: 0 }],
  ['gas', 'missing', /Send BNB to the gas wallet, 0xabc\./, { gasWei: 0n }],
  ['gas', 'missing', /not read the gas wallet/, { gasWei: null }],
  ['telegram', 'wrong', /does not accept/, { telegram: { username: null, problem: 'refused' } }],
  ['exchange_account', 'wrong', /can be read/, { hasReadAccount: false }],
])('%s is %s: %s', (step, state, text, facts) => {
  const found = checkSetup({ ...READY, ...facts }).find((checked) => checked.step === step);
  expect(found?.state).toBe(state);
  expect(found?.text).toMatch(text);
});

test('each missing limit of payouts is named, and the demo world needs none', () => {
  const limits = (over: Partial<SetupFacts>) =>
    checkSetup({ ...READY, ...over }).find(({ step }) => step === 'limits');
  const missing = limits({ missingLimits: ['payout_max_per_day'] });
  expect(missing).toMatchObject({ state: 'missing', text: expect.stringContaining('PAYOUT_MAX_PER_DAY') });
  expect(missing?.text).not.toContain('APPROVAL_ABOVE_USDT');
  expect(limits({ missingLimits: ['payout_max_per_day'], isDemo: true })?.state).toBe('done');
});
