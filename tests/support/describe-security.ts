import { REMAINING } from '../../bench/attack/sql-remaining.ts';
import { SECURITY_AREAS } from './security-requirements.ts';

/** Who could do harm. */
const THREATS: readonly [who: string, alone: string, stopped: string, noticed: string][] = [
  [
    "The worker's host",
    'Everything: it has the seed. So keep in hot wallets what two days need',
    'Nothing of ours. A user, a folder and programs that no other program can write keep others away from it',
    'The chain: every five minutes balances are compared with the books',
  ],
  [
    'The API, or its login in the database',
    'Act in the names of people: order, approve, change addresses and terms; answer browsers with any deposit address, though what is stored and what workers send is of the seed; send traders any words; open exchange keys of traders, which cannot withdraw; see a key of a pool while somebody pastes it, but open none that is stored',
    "The worker's maxima, limit and checks of each fact; holds of addresses; the database, which wants independent approvals, sponsors and decided settings (below: what it does not stop)",
    'The audit, where entries of workers have a key of their own; screens and mails of the people named; figures of transfers that no fact allows',
  ],
  [
    "A worker's login in the database, without its host",
    'Say what follows from the chain and the exchanges: deposits, results of pools, the word of an owner; order what one person may',
    'It approves, releases, sets and confirms nothing, in no name, and cannot sign; a worker with the seed reads the chain itself, within its maxima',
    'The comparison with the chain; entries of the audit without the key of the workers',
  ],
  [
    "The operator's login, as in operator.env",
    'Take the place of a missing super admin: confirm, release, approve, end a stop',
    'It is on the machine of the workers alone, and no program that runs is given it; it cannot sign',
    'The audit, under the name of the operator; mails to the people concerned',
  ],
  [
    "The database's owner",
    'Say whatever rows can say: balances, approvals, addresses',
    "It cannot sign, and not exceed the maxima in the worker's environment",
    "The audit's chain and the head that workers note outside; the comparison with the chain",
  ],
  [
    'One super admin',
    'Order up to the limit to released addresses; tighten; disable other people; view as them',
    'Another, independent, confirmed super admin for what is above the limit, loosens a setting or releases an address',
    'The audit, mails to the people concerned, the list of changed addresses',
  ],
  [
    'One member of staff',
    'What its role includes at its providers',
    'Capabilities and row-level security; the hold of a changed address',
    'The audit and the security log',
  ],
  [
    'One trader',
    'Pay, or not',
    'Has no account here; a bot answers questions only',
    'Deposits are read from the chain',
  ],
  [
    'Two people who agree',
    'What two super admins may: pay any address, loosen any limit that the environment does not bound',
    "The worker's maxima; the hold of an address, which one of them can end",
    'The audit. No rule of ours is against them',
  ],
  [
    'The exchange, or the owner of the account',
    'Keep or withdraw what is at the exchange',
    'Nothing of ours. Keys of pools cannot withdraw',
    "The exchange's records are compared with the books at each harvest",
  ],
  [
    'A deceived person',
    'Whatever that person may: approve a false order, or release a false address',
    'A fresh proof for each such act, passkeys that work on our address only, another person',
    'That other person, if it asks; the audit',
  ],
  [
    'An outside node (RPC server)',
    'Hide blocks, delay, or say that a balance is another',
    'Blocks near the head are read by hash, older ones twice, and every night from the second server; a wallet with too little freezes',
    'Alerts of lag and of differences. With one server only, that server is believed',
  ],
  [
    'A vendor (Stripe, Telegram, Clerk)',
    'Stripe: say that a subscription is paid. Telegram: read and forge messages, also the word of the owner of a changed address; read what waits for people who chose it in place of mail. Clerk: sign in as anyone, and grant rights by its metadata',
    'Webhooks only say what is read again; money moves by none of them; rights that Clerk grants are unconfirmed, and unconfirmed super admins approve nothing',
    'Daily comparisons; the audit',
  ],
];

const table = (head: string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((line) => `| ${line.join(' | ')} |`).join('\n');

/** docs/security.md: who could do what alone, and how we compare with a list of others. */
export function describeSecurity(): string {
  const open = REMAINING.filter(({ why }) => why.startsWith('NOT BOUNDED YET'));
  const areas = Object.entries(SECURITY_AREAS).map(([area, requirements]) => {
    const rows = requirements.map(({ id, asks, where, files, tests = [], notMet }) => [
      id,
      asks,
      notMet ? `**Not met** because ${notMet}. ${where}` : where,
      [...files, ...tests].map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', '),
    ]);
    return `### ${area}\n\n${table(['ASVS', 'Asks', 'Here', 'Files'], rows)}`;
  });
  const all = Object.values(SECURITY_AREAS).flat();
  return `# What protects it, and what does not

Generated by \`npm run generate\` from \`tests/support/describe-security.ts\`. [SECURITY.md](../SECURITY.md) says how to report a weakness, [decision 81](decisions/0081-what-the-worker-believes.md) what a worker believes.

## Who alone can do what

${table(['Who', 'Alone can', 'Stopped by', 'Noticed by'], THREATS)}

## Attacks that we run

\`npm run attack\` runs four parts against an installation of its own, and fails when something gives way: \`sql\` (statements with the login of the API, from the catalogue), \`code\` (a program with the environment, files and user of the API), \`four-eyes\` (one person who wants to act as two) and \`fuzz\` (requests). Short forms of them are tests. What the login of the API can still do is listed with its reason in \`bench/attack/sql-remaining.ts\`; a statement that is possible and not listed fails the run, and so does one that is listed and refused. These are not bounded yet:

${open.map(({ on, acts, sometimes = '', why }) => `- \`${on}\` (${`${acts} ${sometimes}`.trim().replaceAll(' ', ', ')}): ${why.slice('NOT BOUNDED YET: '.length)}.`).join('\n')}

## Compared with OWASP ASVS

${all.length} items of version 5.0.0 that matter for what the product does, of levels 1 and 2 where nothing else is said, in our words; ${all.filter(({ notMet }) => notMet).length} of them are not met. It is our own judgement, and no audit.

${areas.join('\n\n')}
`;
}
