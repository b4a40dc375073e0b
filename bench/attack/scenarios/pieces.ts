/** Statements of one transaction that together would get around the need for another person. */
export interface Scenario {
  name: string;
  /** Each has to change a row. Users: `super` and `super-2` are confirmed, `staff` is no super admin. */
  steps: string[];
}

export const userOf = (persona: string) =>
  `(SELECT id FROM identity."user" WHERE email = '${persona}@demo.example')`;
export const newUser = (name: string) =>
  `INSERT INTO identity."user" (id, name, email, email_verified) VALUES (md5('${name}')::uuid, '${name}', '${name}@thief.example', true)`;
export const access = (name: string, columns = '', values = '') =>
  `INSERT INTO identity.user_access (user_id, admin, super, super_since, accepted_at ${columns})
   VALUES (md5('${name}')::uuid, true, true, now() - interval '1 year', now() ${values})`;
export const sponsor = (name: string, by: string) =>
  `INSERT INTO identity.user_sponsor (user_id, sponsor_id, act, at) VALUES (md5('${name}')::uuid, ${by}, 'invited', now())`;
export const puppet = [newUser('puppet'), access('puppet'), sponsor('puppet', userOf('super'))];
export const ORDER = `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
  SELECT community_id, 'approved', 1, ${userOf('super')}::text, 'x' FROM payable WHERE payout_id IS NULL AND recipient_type = 'mark' LIMIT 1`;
