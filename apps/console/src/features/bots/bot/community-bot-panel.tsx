import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { languageName } from '../../../lib/format/language-name.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { FAILED_MESSAGES_ID } from '../answers/failed-messages-panel.tsx';
import { type Bot, communityBotQuery, failedMessagesQuery } from '../bot-queries.ts';
import { BotBadges } from './bot-badges.tsx';
import { ConnectBotDialog } from './connect-bot-dialog.tsx';

interface CommunityBotPanelProps {
  community: { id: string; name: string; is_archived: boolean };
}

/** The bot of a community, on its page. For super admins. */
export function CommunityBotPanel({ community }: CommunityBotPanelProps) {
  const { data: bot, error, refetch } = useQuery(communityBotQuery(community.id));
  const [isAsked, setAsked] = useState(false);
  return (
    <Panel
      title="Exchange Bot"
      actions={
        bot ? (
          <Link
            to="/community-settings/$communityId/bot"
            params={{ communityId: community.id }}
            className="rounded text-accent hover:underline"
          >
            Open bot
          </Link>
        ) : (
          bot === null &&
          !community.is_archived && (
            <Button className="h-7!" onClick={() => setAsked(true)}>
              Connect bot
            </Button>
          )
        )
      }
    >
      {error && bot === undefined && <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />}
      {!error && bot === undefined && <span aria-hidden="true" className="skeleton block h-16 w-full" />}
      {bot === null && <p className="text-muted">No Telegram bot sells access to this community.</p>}
      {bot && (
        <Facts>
          <Fact label="Bot">
            <span className="break-all">@{bot.username}</span>
          </Fact>
          <Fact label="State">
            <BotBadges bot={bot} />
          </Fact>
          <Fact label="Language">{languageName(bot.language)}</Fact>
          <FailedMessages bot={bot} communityId={community.id} />
        </Facts>
      )}
      {isAsked && <ConnectBotDialog community={community} onClose={() => setAsked(false)} />}
    </Panel>
  );
}

/** How many messages did not arrive, with the way to them. */
function FailedMessages({ bot, communityId }: { bot: Bot; communityId: string }) {
  const { data, error } = useQuery(failedMessagesQuery(bot.id, 1));
  const total = data?.meta.total;
  return (
    <Fact label="Failed messages">
      {total === undefined ? (
        <span className="text-muted">{error ? 'Could not be loaded' : 'Loading...'}</span>
      ) : total === 0 ? (
        'None'
      ) : (
        <Link
          to="/community-settings/$communityId/bot"
          params={{ communityId }}
          hash={FAILED_MESSAGES_ID}
          className="rounded text-accent tabular-nums hover:underline"
        >
          {formatCount(total)}
        </Link>
      )}
    </Fact>
  );
}
