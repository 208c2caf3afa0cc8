import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { RequestFailure } from '../api/failure.ts'
import { WAITING_MESSAGES_KEY } from '../api/queries.ts'
import { useFailure, type Failure } from '../api/use-failure.ts'
import { useConfig, useOwnTeam } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { serverNow } from '../state/clock.ts'
import { frameMessages } from '../text/en/frame.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { cx } from '../ui/cx.ts'
import { EventTimesProvider } from '../ui/fields/date-time.tsx'
import { Select } from '../ui/fields/inputs.tsx'
import { Icon } from '../ui/icon.tsx'
import { NoPermission } from '../ui/states/messages.tsx'
import styles from '../layout/layout.module.css'
import { useOrganiserKeys } from './use-organiser-keys.ts'
import { isHere, missingFor, organiserEntries, type OrganiserEntry } from '../layout/organiser-entries.ts'
import { LoadState } from '../layout/states/load-state.tsx'
import { PageWaiting } from '../layout/states/page-waiting.tsx'
import { PlainPage } from '../layout/states/plain-page.tsx'
import { SignInFirst } from '../layout/states/sign-in-first.tsx'
// Most organiser pages need it and mutations: bundled with the frame, to save several requests.
import './bulk.tsx'

const MissingFactor = lazy(async () => ({
  default: (await import('./missing-factor.tsx')).MissingFactor,
}))

/** The frame of every organiser page: the rail and the permission check. */
export function Component() {
  const text = useMessages(frameMessages)
  const { isSignedIn, team, query } = useOwnTeam()
  const failure = useFailure(query)
  const { pathname } = useLocation()
  const config = useConfig()
  // Without a schedule the start is far in the future.
  const start = config && config.scheduled !== false ? config.startTime : null
  const times = useMemo(() => ({ start, now: serverNow }), [start])
  useOrganiserKeys()
  if (!isSignedIn) return <SignInFirst />
  if (!team) return failure.error ? <Failed title={text.organise} {...failure} /> : <PageWaiting />
  if (team.perms === 0) return <Refused title={text.organise} />
  const open = organiserEntries.filter(
    (entry) => missingFor(entry, team.perms) === undefined && isHere(entry, config),
  )
  const current = entryAt(pathname)
  const missing = current && missingFor(current, team.perms)
  return (
    <div className={cx(styles.organisers, current?.word === 'challenges' && styles.slim)} data-fills>
      <Rail entries={open} current={current} />
      <div className={styles.organiserPage}>
        {missing === undefined ? (
          <EventTimesProvider value={times}>
            <Outlet />
          </EventTimesProvider>
        ) : (
          <Refused title={text.organiser[current?.word ?? 'dashboard']} right={text.right[missing]} />
        )}
      </div>
    </div>
  )
}

interface FailedProps extends Failure {
  readonly title: string
}

/** The team's permissions could not be loaded. */
function Failed({ title, ...failure }: FailedProps) {
  if (!(failure.error instanceof RequestFailure)) return <PageWaiting />
  return (
    <PlainPage title={title}>
      <LoadState failure={failure}>{null}</LoadState>
    </PlainPage>
  )
}

/** A permission is missing; without `right`, the team has none at all. */
function Refused({ title, right }: { readonly title: string; readonly right?: string }) {
  const text = useMessages(frameMessages)
  const link =
    right === undefined ? (
      <Link to={paths.ownTeam()}>{text.toProfile}</Link>
    ) : (
      <Link to={paths.dashboard()}>{text.organiser.dashboard}</Link>
    )
  return (
    <PlainPage title={title}>
      <NoPermission right={right} action={link} />
      <Suspense>
        <MissingFactor />
      </Suspense>
    </PlainPage>
  )
}

/** The entry of the current page: the longest path that is a prefix of it. */
function entryAt(pathname: string): OrganiserEntry | undefined {
  return organiserEntries
    .toReversed()
    .find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
}

interface RailProps {
  readonly entries: readonly OrganiserEntry[]
  readonly current: OrganiserEntry | undefined
}

/** The organiser pages: a rail next to the page on wide screens, a select above it on others. */
function Rail({ entries, current }: RailProps) {
  const text = useMessages(frameMessages)
  const format = useFormat()
  const navigate = useNavigate()
  const isOpen = current !== undefined && entries.includes(current)
  // Read by the bell.
  const waiting = useQuery<number>({ queryKey: WAITING_MESSAGES_KEY, enabled: false }).data ?? 0
  const waitingAt = (word: OrganiserEntry['word']) =>
    word === 'messages' && waiting > 0 ? format.number(waiting) : null
  return (
    <nav aria-label={text.organiser.navigation} className={styles.rail}>
      <div className={styles.railLinks}>
        {entries.map(({ word, icon, path }) => (
          <NavLink
            key={path}
            to={path}
            end={path === paths.dashboard()}
            title={text.organiser[word]}
            className={({ isActive }) => cx(styles.railLink, isActive && styles.active)}
          >
            <Icon name={icon} />
            <span>{text.organiser[word]}</span>
            {waitingAt(word) !== null && (
              <span className={styles.railCount}>
                {waitingAt(word)} <span className="pn-hidden">{text.waiting}</span>
              </span>
            )}
          </NavLink>
        ))}
      </div>
      <div className={styles.railSelect}>
        <Select
          label={text.organiser.goTo}
          value={isOpen ? current.path : ''}
          {...(!isOpen && { placeholder: current ? text.organiser[current.word] : text.organise })}
          choices={entries.map(({ word, path }) => ({
            value: path,
            label:
              waitingAt(word) === null
                ? text.organiser[word]
                : `${text.organiser[word]} (${waitingAt(word)})`,
          }))}
          onChange={(path) => void navigate(path)}
        />
      </div>
    </nav>
  )
}
