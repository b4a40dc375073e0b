import type { AccessCall } from './calls-query.ts';
import { CAPABILITY_WORDS } from './role-words.ts';

const PERMISSIONS: Record<AccessCall['permission'], string> = {
  public: 'Anyone',
  'signed-in': 'Anyone signed in',
  admin: 'Admins',
  staff: 'Staff',
  super: 'Super admins',
};

/** Who may make a call: a capability of staff where it needs one. */
export function whoText({ permission, capability }: AccessCall): string {
  return capability
    ? `Staff who may ${CAPABILITY_WORDS[capability].label.toLowerCase()}`
    : PERMISSIONS[permission];
}

/** The proof that a call needs besides; null for none. */
export function proofText({ recent_auth_fields: fields, second_factor }: AccessCall): string | null {
  if (fields?.length === 0) return null;
  const proof = second_factor ? 'Recent sign-in and second factor' : 'Recent sign-in';
  return fields === null
    ? proof
    : `${proof}, to change ${fields.map((name) => name.replaceAll('_', ' ')).join(' or ')}`;
}

/** Whether a call is found by a text: its path, its summary, or who may make it. */
export function isFound(call: AccessCall, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [call.call, call.summary, whoText(call)].some((each) => each.toLowerCase().includes(wanted));
}
