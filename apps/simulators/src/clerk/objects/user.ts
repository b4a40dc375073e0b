import type { Account, ClerkState, Membership, Organization } from '../clerk-state.ts';

const organizationObject = (it: Organization, members: number) => ({
  object: 'organization',
  id: it.id,
  name: it.name,
  slug: it.name.toLowerCase().replace(/\W+/g, '-'),
  image_url: '',
  has_image: false,
  members_count: members,
  pending_invitations_count: 0,
  max_allowed_memberships: 0,
  admin_delete_enabled: false,
  public_metadata: it.metadata,
  created_at: it.createdAt,
  updated_at: it.createdAt,
});

/** A membership with its organisation and its person, as in the API and in webhooks. */
export function membershipObject(state: ClerkState, it: Membership) {
  const organization = state.organizations.get(it.organizationId);
  const user = state.users.get(it.userId);
  const members = [...state.memberships.values()].filter((one) => one.organizationId === it.organizationId);
  return {
    object: 'organization_membership',
    id: it.id,
    role: 'org:member',
    role_name: 'Member',
    permissions: [],
    public_metadata: {},
    organization: organization && organizationObject(organization, members.length),
    public_user_data: {
      user_id: it.userId,
      identifier: user?.email ?? '',
      first_name: user?.firstName ?? null,
      last_name: user?.lastName ?? null,
      image_url: '',
      has_image: false,
    },
    created_at: it.createdAt,
    updated_at: it.createdAt,
  };
}

/** A user, as in the API and in webhooks. */
export function userObject(it: Account) {
  const addressId = it.id.replace('user_', 'idn_');
  const verification = {
    object: 'verification_otp',
    status: 'verified',
    strategy: 'email_code',
    attempts: 1,
    expire_at: null,
  };
  return {
    object: 'user',
    id: it.id,
    username: null,
    first_name: it.firstName,
    last_name: it.lastName,
    image_url: '',
    has_image: false,
    primary_email_address_id: addressId,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    password_enabled: it.password !== null,
    two_factor_enabled: it.code !== null,
    totp_enabled: it.code !== null,
    backup_code_enabled: false,
    passkeys: [],
    email_addresses: [
      {
        object: 'email_address',
        id: addressId,
        email_address: it.email,
        reserved: false,
        linked_to: [],
        matches_sso_connection: false,
        verification: it.isProven ? verification : { ...verification, status: 'unverified', attempts: 0 },
        created_at: it.createdAt,
        updated_at: it.createdAt,
      },
    ],
    phone_numbers: [],
    web3_wallets: [],
    external_accounts: [],
    saml_accounts: [],
    enterprise_accounts: [],
    public_metadata: it.metadata,
    private_metadata: {},
    unsafe_metadata: {},
    external_id: null,
    last_sign_in_at: it.createdAt,
    banned: it.isBanned,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: 100,
    create_organization_enabled: false,
    create_organizations_limit: null,
    delete_self_enabled: false,
    mfa_disabled_at: null,
    mfa_enabled_at: null,
    legal_accepted_at: null,
    last_active_at: it.createdAt,
    created_at: it.createdAt,
    updated_at: it.updatedAt,
  };
}
