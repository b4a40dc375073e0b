import { contract, type Entry } from '@copydesk/contract';
import { decideAccess, type Flags, needsSecondFactor, STAFF_ROLE_NAMES } from '@copydesk/domain/access';

/** The people of the table, from least to most. */
const ROLES: readonly [name: string, flags: Flags][] = [
  ['Signed in', { admin: false, super: false, providerAccess: [] }],
  ['Admin', { admin: true, super: false, providerAccess: [] }],
  ...STAFF_ROLE_NAMES.map((role): [string, Flags] => [
    `${role[0]?.toUpperCase()}${role.slice(1)}`,
    { admin: true, super: false, providerAccess: ['one'], staffRoles: { one: role } },
  ]),
  ['Super admin', { admin: true, super: true, providerAccess: [] }],
];

const HEAD = `# Who may call what

Written by \`npm run generate\` from the contract. Do not edit.

- **Signed in**: a person without the admin flag. **Admin**: with it, and without a provider. **Super admin**: sees every row.
- **Viewer** to **Owner**: the roles that a person can have at a provider; **Staff** is the one without a choice. They see
  the rows of all their providers, and change or export those of the providers where the role allows it.
- **Program**: the scope that a service token needs. Its rows are those of the token's providers that its owner may see.
- **Proof**: \`recent\` means that the caller has authenticated within the last ten minutes; \`second factor\` that it
  also has one. With a field, only requests that have it. Programs prove nothing: they may make a call that has a scope
  for them and always needs proof, but not change a field that needs it, unless the call excepts them (\`people\`).
`;

/** Every call of the contract, and who may make it: docs/access.md. */
export function describeCalls(): string {
  const columns = ['Call', 'Anyone', ...ROLES.map(([name]) => name), 'Program', 'Proof'];
  const rows = Object.entries<Entry>(contract)
    .toSorted(([a], [b]) => compare(a, b))
    .map(([key, entry]) => [
      `\`${key.replace('/api', '')}\``,
      mark(entry.permission === 'public'),
      ...ROLES.map(([, flags]) => mark(decideAccess(entry.permission, flags, entry.capability) === null)),
      entry.serviceScope ? `\`${entry.serviceScope}\`` : '',
      proofOf(entry),
    ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [HEAD, line(columns), line(columns.map(() => '---')), ...rows.map(line), ''].join('\n');
}

/** By path, then by method. */
const compare = (a: string, b: string) => {
  const [methodA = '', pathA = ''] = a.split(' ');
  const [methodB = '', pathB = ''] = b.split(' ');
  return pathA < pathB ? -1 : pathA > pathB ? 1 : methodA < methodB ? -1 : 1;
};

const mark = (isAllowed: boolean) => (isAllowed ? 'yes' : '');

function proofOf(entry: Entry): string {
  if (entry.recentAuth === false) return '';
  const declared = typeof entry.recentAuth === 'object' ? entry.recentAuth : null;
  const fields = declared
    ? ` (${declared.whenBodyHas.join(', ')}${declared.exceptServices ? '; people' : ''})`
    : '';
  return `recent${fields}${needsSecondFactor(entry) ? ', second factor' : ''}`;
}
