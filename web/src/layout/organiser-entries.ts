import type { Permission } from '@pennant/contract/permissions.ts'
import { paths } from '../paths.ts'
import type { FrameMessages } from '../text/en/frame.ts'

/** An organiser page, by its word in `text.organiser`. */
export interface OrganiserEntry {
  readonly word: keyof FrameMessages['organiser'] & string
  readonly path: string
  readonly needs: readonly Permission[]
}

export const organiserEntries: readonly OrganiserEntry[] = [
  { word: 'dashboard', path: paths.dashboard(), needs: [] },
  { word: 'challenges', path: paths.adminChallenges(), needs: ['challsRead'] },
  { word: 'teams', path: paths.adminTeams(), needs: ['usersWrite'] },
  { word: 'verifications', path: paths.verifications(), needs: ['usersWrite'] },
  { word: 'submissions', path: paths.submissions(), needs: ['challsRead', 'usersWrite'] },
  { word: 'instances', path: paths.instances(), needs: ['challsRead', 'usersWrite'] },
  { word: 'settings', path: paths.eventSettings(), needs: ['settingsWrite'] },
  { word: 'clients', path: paths.clients(), needs: ['usersWrite'] },
  { word: 'export', path: paths.standingsExport(), needs: ['leaderboardRead'] },
]
