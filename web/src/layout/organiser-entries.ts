import { hasPermissions, type Permission } from '@pennant/contract/permissions.ts'
import { paths } from '../paths.ts'
import type { FrameMessages } from '../text/en/frame.ts'
import type { IconName } from '../ui/icon.tsx'

/** An organiser page, by its word in `text.organiser`. */
export interface OrganiserEntry {
  readonly word: keyof FrameMessages['organiser'] & string
  readonly icon: IconName
  readonly path: string
  readonly needs: readonly Permission[]
  /** Enough instead of `needs`. */
  readonly orNeeds?: Permission
  /** One of these is needed too. */
  readonly oneOf?: readonly Permission[]
}

export const organiserEntries: readonly OrganiserEntry[] = [
  { word: 'dashboard', icon: 'pulse', path: paths.dashboard(), needs: [] },
  { word: 'challenges', icon: 'challenges', path: paths.adminChallenges(), needs: ['challsRead'] },
  { word: 'waves', icon: 'clock', path: paths.waves(), needs: ['challsRead'] },
  { word: 'teams', icon: 'team', path: paths.adminTeams(), needs: ['usersWrite'] },
  { word: 'registration', icon: 'inbox', path: paths.registrations(), needs: ['usersWrite'] },
  { word: 'people', icon: 'team', path: paths.people(), needs: ['usersWrite'] },
  { word: 'verifications', icon: 'inbox', path: paths.verifications(), needs: ['usersWrite'] },
  {
    word: 'submissions',
    icon: 'send',
    path: paths.submissions(),
    needs: ['challsRead', 'usersWrite'],
    orNeeds: 'fairPlay',
  },
  { word: 'instances', icon: 'stack', path: paths.instances(), needs: ['challsRead', 'usersWrite'] },
  { word: 'statistics', icon: 'scores', path: paths.adminStatistics(), needs: ['challsRead', 'usersWrite'] },
  { word: 'announcements', icon: 'alert', path: paths.adminAnnouncements(), needs: ['settingsWrite'] },
  { word: 'pages', icon: 'text', path: paths.adminPages(), needs: ['settingsWrite'] },
  {
    word: 'messages',
    icon: 'inbox',
    path: paths.adminMessages(),
    needs: ['challsRead'],
    oneOf: ['usersWrite', 'challsWrite'],
  },
  { word: 'mail', icon: 'send', path: paths.adminMail(), needs: ['usersWrite'] },
  { word: 'settings', icon: 'organise', path: paths.eventSettings(), needs: ['settingsWrite'] },
  {
    word: 'personalData',
    icon: 'text',
    path: paths.personalData(),
    needs: ['settingsWrite', 'usersWrite'],
  },
  { word: 'clients', icon: 'key', path: paths.clients(), needs: ['usersWrite'] },
  {
    word: 'actions',
    icon: 'text',
    path: paths.actions(),
    needs: ['challsRead', 'usersWrite', 'settingsWrite'],
  },
  { word: 'export', icon: 'download', path: paths.standingsExport(), needs: ['leaderboardRead'] },
]

/** The permission that is missing for the page; undefined if there is none. */
export function missingFor({ needs, orNeeds, oneOf }: OrganiserEntry, perms: number): Permission | undefined {
  if (orNeeds && hasPermissions(perms, [orNeeds])) return undefined
  const lacks = (each: Permission) => !hasPermissions(perms, [each])
  return needs.find(lacks) ?? (oneOf?.every(lacks) ? oneOf[0] : undefined)
}

/** Whether the event has what the page is about. */
export function isHere(
  { word }: OrganiserEntry,
  config: { readonly people?: object | undefined } | undefined,
): boolean {
  return word !== 'people' || config?.people !== undefined
}
