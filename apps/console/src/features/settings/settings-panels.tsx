import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { readTime } from '../../lib/format/read-time.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { SettingDialog } from './edit/setting-dialog.tsx';
import { boundText, SECTIONS, SETTINGS, settingAnchor, settingText } from './setting-views.ts';
import { type Setting, settingsQuery } from './settings-queries.ts';
import { Waiting } from './waiting-change.tsx';

/** Where a value comes from. */
function Source({ setting }: { setting: Setting }) {
  const { version, changed_at, changed_by, is_from_environment, is_locked } = setting;
  if (is_locked) return "Locked by the server's configuration";
  if (version > 0 && changed_at) return `Changed ${readTime(changed_at)} by ${changed_by}`;
  return is_from_environment ? "From the server's configuration" : 'Default';
}

interface RowProps {
  setting: Setting;
  readerId: string;
  onChange(): void;
}

function Row({ setting, readerId, onChange }: RowProps) {
  const { name, value, is_locked, waiting } = setting;
  const { label, text } = SETTINGS[name];
  const bound = boundText(setting);
  return (
    <li
      id={settingAnchor(name)}
      tabIndex={-1}
      className="border-t border-line px-4 py-3 first:border-t-0 focus:bg-accent-soft focus:outline-none"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="flex flex-wrap items-center gap-2 font-medium">
            {label}
            {waiting && <Badge tone="caution">Waits for approval</Badge>}
          </h3>
          <p className="text-xs text-muted">{text}</p>
        </div>
        <div className="min-w-0 basis-80 sm:text-end">
          {name === 'vip_tiers' ? (
            <ul className="tabular-nums">
              {setting.value &&
                (setting as Setting<'vip_tiers'>).value.map((tier) => (
                  <li key={tier.name}>{settingText('vip_tiers', [tier])}</li>
                ))}
            </ul>
          ) : (
            <p className="font-medium break-words tabular-nums">{settingText(name, value)}</p>
          )}
          <p className="text-xs text-muted">
            <Source setting={setting} />
            {' · '}
            <Link
              to="/audit"
              search={{ targetKind: 'setting', target: name }}
              aria-label={`Who changed this? ${label}`}
              className="rounded whitespace-nowrap underline decoration-line-strong underline-offset-2 hover:text-accent"
            >
              Who changed this?
            </Link>
          </p>
          {bound && <p className="text-xs text-muted">{bound}</p>}
        </div>
        <Button className="h-7!" aria-label={`Change ${label}`} disabled={is_locked} onClick={onChange}>
          Change
        </Button>
      </div>
      {waiting && <Waiting change={waiting} isOwn={waiting.requested_by_id === readerId} />}
    </li>
  );
}

/** Shows the setting that the address names, once it is there. */
function useShown(isLoaded: boolean): void {
  const anchor = useLocation({ select: ({ hash }) => hash });
  useEffect(() => {
    const setting = isLoaded && anchor !== '' ? document.getElementById(anchor) : null;
    setting?.focus();
    setting?.scrollIntoView({ block: 'center' });
  }, [isLoaded, anchor]);
}

/** The settings of the platform by section. */
export function SettingsPanels({ readerId }: { readerId: string }) {
  const { data, error, refetch } = useQuery(settingsQuery);
  const [changing, setChanging] = useState<Setting['name'] | null>(null);
  useShown(data !== undefined);
  const byName = new Map(data?.map((setting) => [setting.name, setting]));
  const changed = changing && byName.get(changing);
  if (!data)
    return (
      <Panel title="Limits and Defaults" flush>
        <QueryState
          small
          error={error ? { title: 'The settings could not be loaded', message: messageOf(error) } : null}
          onRetry={() => void refetch()}
          isLoading
          loading={<Loading text="Loading settings..." />}
          isEmpty={false}
          empty={null}
        >
          {null}
        </QueryState>
      </Panel>
    );
  return (
    <>
      {SECTIONS.map(({ title, names }) => (
        <Panel key={title} title={title} flush>
          <ul aria-label={`Settings: ${title}`}>
            {names.map((name) => {
              const setting = byName.get(name);
              return (
                setting && (
                  <Row
                    key={name}
                    setting={setting}
                    readerId={readerId}
                    onChange={() => setChanging(setting.name)}
                  />
                )
              );
            })}
          </ul>
        </Panel>
      ))}
      {changed && <SettingDialog setting={changed} onClose={() => setChanging(null)} />}
    </>
  );
}
