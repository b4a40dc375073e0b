import type { Account, Session } from '../clerk-state.ts';
import type { ClerkInstance } from '../instance.ts';
import { sessionObject } from '../objects/session.ts';
import { membershipObject, userObject } from '../objects/user.ts';

export interface SignIn {
  id: string;
  user: Account;
  status: 'needs_first_factor' | 'needs_second_factor' | 'complete';
  sessionId: string | null;
}

/** One browser. */
export interface Client {
  id: string;
  signIn: SignIn | null;
}

export const membershipsOf = ({ state }: ClerkInstance, userId: string) =>
  [...state.memberships.values()]
    .filter((one) => one.userId === userId)
    .map((one) => membershipObject(state, one));

/** A session with its person and the last token, as browsers get it. */
export const browserSession = (instance: ClerkInstance, session: Session, jwt: string) => {
  const user = instance.state.users.get(session.userId);
  return {
    ...sessionObject(session),
    user: user && { ...userObject(user), organization_memberships: membershipsOf(instance, user.id) },
    public_user_data: user && {
      user_id: user.id,
      identifier: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
      image_url: '',
      has_image: false,
    },
    factor_verification_age: [
      Math.floor((instance.now() - session.firstFactorAt) / 60_000),
      session.secondFactorAt === null ? -1 : Math.floor((instance.now() - session.secondFactorAt) / 60_000),
    ],
    last_active_token: { object: 'token', jwt },
    tasks: null,
  };
};

const FACTORS = {
  first: [{ strategy: 'password' }],
  second: [{ strategy: 'totp' }],
};

export const signInObject = ({ id, user, status, sessionId }: SignIn) => ({
  object: 'sign_in_attempt',
  id,
  status,
  supported_identifiers: ['email_address'],
  supported_first_factors: FACTORS.first,
  supported_second_factors: user.code === null ? [] : FACTORS.second,
  first_factor_verification: null,
  second_factor_verification: null,
  identifier: user.email,
  user_data: {
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: '',
    has_image: false,
  },
  created_session_id: sessionId,
});

/** The dialog for another proof within a session. */
export const verificationObject = (
  session: unknown,
  { level, status, user }: { level: string; status: string; user: Account },
) => ({
  object: 'session_verification',
  status,
  level,
  session,
  supported_first_factors: FACTORS.first,
  supported_second_factors: user.code === null ? [] : FACTORS.second,
  first_factor_verification: null,
  second_factor_verification: null,
});
