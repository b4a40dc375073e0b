import ContactRound from 'lucide-react/icons/contact-round';
import FileDown from 'lucide-react/icons/file-down';
import FileText from 'lucide-react/icons/file-text';
import ListChecks from 'lucide-react/icons/list-checks';
import MessagesSquare from 'lucide-react/icons/messages-square';
import Settings from 'lucide-react/icons/settings';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Stamp from 'lucide-react/icons/stamp';
import UserCog from 'lucide-react/icons/user-cog';
import Palette, { type Place } from '../features/search/palette.tsx';
import { SETTINGS, settingAnchor } from '../features/settings/setting-views.ts';
import type { NavGroup } from './nav-links.ts';

/** Places that the navigation does not have. */
const OWN_PLACES: readonly Place[] = [
  { label: 'Your settings', icon: Settings, to: '/preferences' },
  { label: 'Your profile', icon: UserCog, to: '/profile' },
  { label: 'Your exports', icon: FileDown, to: '/exports' },
  { label: 'Acts on many traders', icon: ListChecks, to: '/bulk-acts' },
];

/** Those of super admins, with each setting of the platform by its name. */
const SUPER_PLACES: readonly Place[] = [
  { label: 'Approvals', icon: Stamp, to: '/approvals' },
  { label: 'Recipients', icon: ContactRound, to: '/recipients' },
  { label: "Messages of communities' bots", icon: MessagesSquare, to: '/messages/bots' },
  { label: 'Invoicing runs', icon: FileText, to: '/invoices/runs' },
  ...(Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).map((name) => ({
    label: `Setting: ${SETTINGS[name].label}`,
    icon: SlidersHorizontal,
    to: '/settings' as const,
    hash: settingAnchor(name),
    isTypedFor: true,
  })),
];

interface SearchPaletteProps {
  groups: readonly NavGroup[];
  isSuper: boolean;
  onClose(): void;
}

/** The search with every place that its reader may go to. */
export default function SearchPalette({ groups, isSuper, onClose }: SearchPaletteProps) {
  const places = [...groups.flatMap(({ links }) => links), ...OWN_PLACES, ...(isSuper ? SUPER_PLACES : [])];
  return <Palette places={places} isSuper={isSuper} onClose={onClose} />;
}
