import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { useOnceKey } from '../../../lib/api/once-key.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { type CommunityWithSettings, communitiesKeys, communityQuery } from '../communities-queries.ts';
import { SETTING_TITLES, type Setting, settingText, settingValue } from './setting-fields.ts';

/** Changes one setting of a community. A failed request is repeated under the same key, so it takes effect once. */
export function useChangeSetting(
  community: CommunityWithSettings,
  setting: Setting,
  onError: (error: Error) => void,
) {
  const client = useQueryClient();
  const once = useOnceKey();
  const { id, version } = community;
  return useMutation({
    mutationFn: (typed: string) => {
      const body = { [setting]: settingValue(setting, typed), version };
      return call('PATCH /api/super-admin/communities/{id}', {
        params: { id },
        body,
        idempotencyKey: once.keyOf(body),
      });
    },
    onSuccess: ({ data }) => {
      toast({
        tone: 'positive',
        title: `${SETTING_TITLES[setting]} updated`,
        text: `${community.name}: ${settingText(setting, data[setting])}`,
      });
      client.setQueryData(communityQuery(id).queryKey, (shown) => shown && { ...shown, ...data });
      void client.invalidateQueries({ queryKey: communitiesKeys.all });
    },
    onError: (error) => {
      once.failed(error);
      onError(error);
      void client.invalidateQueries({ queryKey: communitiesKeys.all });
    },
  });
}
