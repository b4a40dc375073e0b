import { ApiError } from '../../lib/api/api-error.ts';
import { forgetOrganization } from '../../lib/organization.ts';
import { endOwnView } from '../../lib/view-as.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { claimsOf } from './token-claims.ts';

/** The person whose choices this tab has in its storage, across reloads. */
const KEY = 'copydesk.subject';

interface Announcement {
  event: 'signed-in' | 'signed-out';
  subject: string;
}

export interface SessionOwnerOptions {
  /** To and from the other tabs of this browser. */
  channel: { postMessage(message: Announcement): void; onmessage: ((event: MessageEvent) => void) | null };
  /** The same person signed out in another tab. */
  onEnded(): void;
  /** Another person signed in. Everything on screen, and in memory, belongs to the one before. */
  onReplaced(): void;
}

/**
 * Whose session this tab shows. All tabs share a session, so a sign-in in one of them changes the session of the others:
 * a tab keeps to its person, and takes no token of another.
 */
export function createSessionOwner({ channel, onEnded, onReplaced }: SessionOwnerOptions) {
  let owner: string | null = null;

  const replace = () => {
    forgetChoices();
    onReplaced();
  };
  const announce = (event: Announcement['event'], subject: string) => channel.postMessage({ event, subject });

  const release = () => {
    owner = null;
    forgetChoices();
    storage()?.removeItem(KEY);
  };

  channel.onmessage = ({ data }: MessageEvent<Announcement>) => {
    if (owner === null) return;
    if (data.event === 'signed-in' && data.subject !== owner) replace();
    if (data.event === 'signed-out' && data.subject === owner) {
      release();
      onEnded();
    }
  };

  return {
    /**
     * Passes on a token of this tab's person. The first one says who that is.
     * @throws ApiError `another_person`
     */
    admit(token: string | null): string | null {
      if (token === null) return null;
      const { sub = '' } = claimsOf(token);
      if (owner === null) {
        owner = sub;
        takeOver(sub);
        announce('signed-in', sub);
      } else if (owner !== sub) {
        replace();
        throw anotherPerson();
      }
      return token;
    },
    /** The next token may be of anyone: this tab signs in, or its session was lost. */
    release,
    /** The person signs out, in all tabs. */
    end() {
      if (owner !== null) announce('signed-out', owner);
      release();
    },
  };
}

const storage = () => globalThis.sessionStorage as Storage | undefined;

function forgetChoices(): void {
  endOwnView();
  forgetOrganization();
}

/** Choices of an earlier person end here: a tab that slept, or was loaded again, missed the announcement. */
function takeOver(subject: string): void {
  const before = storage()?.getItem(KEY) ?? null;
  if (before === subject) return;
  forgetChoices();
  storage()?.setItem(KEY, subject);
  if (before !== null)
    toast({
      tone: 'neutral',
      title: 'Another person signed in',
      text: 'This tab now works under the account that last signed in in this browser.',
    });
}

const anotherPerson = () =>
  new ApiError({
    code: 'another_person',
    status: 0,
    message:
      'Nothing was sent: another person signed in in this browser. The page loads again under that account.',
  });
