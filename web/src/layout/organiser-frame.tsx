import { hasPermissions } from '@pennant/contract/permissions.ts'
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { RequestFailure } from '../api/failure.ts'
import { useTrouble, type Trouble } from '../api/use-failure.ts'
import { useOwnTeam } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useText } from '../text/catalogue.ts'
import { useErrorText } from '../text/errors.ts'
import { frameCatalogue } from '../text/frame.ts'
import { cx } from '../ui/cx.ts'
import { Select } from '../ui/fields/inputs.tsx'
import { ErrorState, NoPermission } from '../ui/states/messages.tsx'
import styles from './layout.module.css'
import { useOrganiserKeys } from './keys/use-organiser-keys.ts'
import { organiserEntries, type OrganiserEntry } from './organiser-entries.ts'
import { PageWaiting } from './page-waiting.tsx'
import { PlainPage } from './plain-page.tsx'
import { SignInFirst } from './sign-in-first.tsx'

/** Around every organiser page: the rail, and the rights. */
export function Component() {
  const text = useText(frameCatalogue)
  const { isSignedIn, team, query } = useOwnTeam()
  const trouble = useTrouble(query)
  const { pathname } = useLocation()
  useOrganiserKeys()
  if (!isSignedIn) return <SignInFirst />
  if (!team) return trouble.failure ? <Failed title={text.organise} {...trouble} /> : <PageWaiting />
  if (team.perms === 0) return <Refused title={text.organise} />
  const open = organiserEntries.filter(({ needs }) => hasPermissions(team.perms, needs))
  const current = entryAt(pathname)
  const missing = current?.needs.find((need) => !hasPermissions(team.perms, [need]))
  return (
    <div className={styles.organisers} data-fills>
      <Rail entries={open} current={current} />
      <div className={styles.organiserPage}>
        {missing === undefined ? (
          <Outlet />
        ) : (
          <Refused title={text.organiser[current?.word ?? 'dashboard']} right={text.right[missing]} />
        )}
      </div>
    </div>
  )
}

interface FailedProps extends Trouble {
  readonly title: string
}

/** Nobody knows yet what this team may do. */
function Failed({ title, failure, retry }: FailedProps) {
  const errorText = useErrorText()
  if (!(failure instanceof RequestFailure)) return <PageWaiting />
  return (
    <PlainPage title={title}>
      <ErrorState onRetry={retry} kind={failure.kind}>
        {errorText(failure)}
      </ErrorState>
    </PlainPage>
  )
}

/** Without a right: the team has none at all. */
function Refused({ title, right }: { readonly title: string; readonly right?: string }) {
  const text = useText(frameCatalogue)
  const way =
    right === undefined ? (
      <Link to={paths.ownTeam()}>{text.toProfile}</Link>
    ) : (
      <Link to={paths.dashboard()}>{text.organiser.dashboard}</Link>
    )
  return (
    <PlainPage title={title}>
      <NoPermission right={right} action={way} />
    </PlainPage>
  )
}

/** The entry whose page this is: the longest path that begins it. */
function entryAt(pathname: string): OrganiserEntry | undefined {
  return organiserEntries
    .toReversed()
    .find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
}

interface RailProps {
  readonly entries: readonly OrganiserEntry[]
  readonly current: OrganiserEntry | undefined
}

/** Beside the page on a wide screen, a list to choose from above it on others. */
function Rail({ entries, current }: RailProps) {
  const text = useText(frameCatalogue)
  const navigate = useNavigate()
  const isOpen = current !== undefined && entries.includes(current)
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
          value={isOpen ? current.path : ''}
          {...(!isOpen && { placeholder: current ? text.organiser[current.word] : text.organise })}
          choices={entries.map(({ word, path }) => ({ value: path, label: text.organiser[word] }))}
          onChange={(path) => void navigate(path)}
        />
      </div>
    </nav>
  )
}
