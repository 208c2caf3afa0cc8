import { hasPermissions, type Permission } from '@pennant/contract/permissions.ts'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { useOwnTeam } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useText } from '../text/catalogue.ts'
import type { FrameWords } from '../text/en/frame.ts'
import { frameCatalogue } from '../text/frame.ts'
import { cx } from '../ui/cx.ts'
import { Select } from '../ui/fields/inputs.tsx'
import { NoPermission } from '../ui/states/messages.tsx'
import styles from './layout.module.css'
import { PageWaiting } from './page-waiting.tsx'
import { SignInFirst } from './sign-in-first.tsx'

interface Entry {
  readonly word: keyof FrameWords['organiser'] & string
  readonly path: string
  readonly needs: readonly Permission[]
}

const ENTRIES: readonly Entry[] = [
  { word: 'dashboard', path: paths.dashboard(), needs: [] },
  { word: 'teams', path: paths.adminTeams(), needs: ['usersWrite'] },
  { word: 'verifications', path: paths.verifications(), needs: ['usersWrite'] },
  { word: 'submissions', path: paths.submissions(), needs: ['challsRead', 'usersWrite'] },
  { word: 'instances', path: paths.instances(), needs: ['challsRead', 'usersWrite'] },
]

/** Around every organiser page: the rail, and the rights. */
export function Component() {
  const text = useText(frameCatalogue)
  const { isSignedIn, team } = useOwnTeam()
  const { pathname } = useLocation()
  if (!isSignedIn) return <SignInFirst />
  if (!team) return <PageWaiting />
  if (team.perms === 0) return <NoPermission right={text.right.any} />
  const open = ENTRIES.filter(({ needs }) => hasPermissions(team.perms, needs))
  const current = entryAt(pathname)
  const missing = current?.needs.find((need) => !hasPermissions(team.perms, [need]))
  return (
    <div className={styles.organisers}>
      <Rail entries={open} current={current} />
      <div className={styles.organiserPage}>
        {missing === undefined ? <Outlet /> : <NoPermission right={text.right[missing]} />}
      </div>
    </div>
  )
}

/** The entry whose page this is: the longest path that begins it. */
function entryAt(pathname: string): Entry | undefined {
  return ENTRIES.toReversed().find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
}

interface RailProps {
  readonly entries: readonly Entry[]
  readonly current: Entry | undefined
}

/** Beside the page on a wide screen, a list to choose from above it on others. */
function Rail({ entries, current }: RailProps) {
  const text = useText(frameCatalogue)
  const navigate = useNavigate()
  return (
    <nav aria-label={text.organiser.navigation} className={styles.rail}>
      <div className={styles.railLinks}>
        {entries.map(({ word, path }) => (
          <NavLink
            key={path}
            to={path}
            end={path === paths.dashboard()}
            className={({ isActive }) => cx(styles.railLink, isActive && styles.active)}
          >
            {text.organiser[word]}
          </NavLink>
        ))}
      </div>
      <div className={styles.railSelect}>
        <Select
          label={text.organiser.goTo}
          value={current?.path ?? paths.dashboard()}
          choices={entries.map(({ word, path }) => ({ value: path, label: text.organiser[word] }))}
          onChange={(path) => void navigate(path)}
        />
      </div>
    </nav>
  )
}
