import { lazy, Suspense } from 'react'
import { Link, NavLink } from 'react-router'
import { pageIsQuiet } from '../../api/use-stream.ts'
import { useConfig, useMaySee, useOwnTeam } from '../../api/use-contest.ts'
import { useOwnTrend } from '../../api/use-own-trend.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { cx } from '../../ui/cx.ts'
import { Avatar } from '../../ui/data/team-name.tsx'
import { Sparkline } from '../../ui/plots/sparkline.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useMedia } from '../../ui/use-media.ts'
import styles from './header.module.css'
import { Logo } from '../logo.tsx'
import { PhaseClock } from './phase-clock.tsx'
import { TeamMenu } from './team-menu.tsx'
import { useNext } from './use-next.ts'

/** Loads after what the page shows. Without it, the site works. */
const AnnouncementsLink = lazy(() =>
  pageIsQuiet
    .then(async () => ({
      default: (await import('../announcement-list/announcements-link.tsx')).AnnouncementsLink,
    }))
    .catch(() => ({ default: () => <></> })),
)

export function Header() {
  const text = useMessages(frameMessages)
  const { team } = useOwnTeam()
  const maySee = useMaySee()
  return (
    <header className="pn-header">
      <Logo />
      <nav aria-label={text.mainNavigation} className={styles.nav}>
        <HeaderLink to={paths.home()} icon="home">
          {text.home}
        </HeaderLink>
        {maySee('challenges') && (
          <HeaderLink to={paths.challenges()} icon="challenges">
            {text.challenges}
          </HeaderLink>
        )}
        {maySee('scoreboard') && (
          <HeaderLink to={paths.scores()} icon="scores">
            {text.scoreboard}
          </HeaderLink>
        )}
        {team !== undefined && team.perms > 0 && (
          <HeaderLink to={paths.dashboard()} icon="organise">
            {text.organise}
          </HeaderLink>
        )}
      </nav>
      <div className={styles.headerEnd}>
        <PhaseClock />
        <OwnCard />
        <Entrance />
        <span className={styles.bell}>
          <Suspense>
            <AnnouncementsLink />
          </Suspense>
        </span>
        <TeamMenu />
      </div>
    </header>
  )
}

interface HeaderLinkProps {
  readonly to: string
  readonly icon: IconName
  readonly children: string
}

/** The page that is open hangs a small pennant from the line of the header. */
function HeaderLink({ to, icon, children }: HeaderLinkProps) {
  return (
    <NavLink
      to={to}
      end={to === paths.home()}
      className={({ isActive }) => cx(styles.link, isActive && styles.active)}
    >
      <Icon name={icon} size={16} />
      {children}
    </NavLink>
  )
}

/** Flag, name, rank and score of the viewer's team. Its box is reserved while they load. */
function OwnCard() {
  const text = useMessages(frameMessages)
  const format = useFormat()
  const { isSignedIn, team } = useOwnTeam()
  if (!isSignedIn) return null
  if (!team) return <span className={styles.own} />
  const place = team.globalPlace === null ? null : text.rankOf(format.number(team.globalPlace))
  // Organisers do not compete, unless they are ranked.
  const score = place === null && team.perms !== 0 ? '' : text.points(format.number(team.score))
  return (
    <Link to={paths.ownTeam()} className={styles.own} title={team.name}>
      <Avatar name={team.name} teamId={team.id} url={team.avatarUrl} size={24} />
      <bdi className={styles.ownName}>{team.name}</bdi>
      <b className={styles.ownPlace}>
        {place}
        <span className={styles.ownScore}>{place === null ? score : ` · ${score}`}</span>
      </b>
      <OwnLine />
    </Link>
  )
}

/** The score over time. Asked for only where there is room for it. */
function OwnLine() {
  const trend = useOwnTrend({ isWanted: useMedia('(min-width: 1360px)') })
  return (
    <span className={styles.ownLine}>
      {trend && <Sparkline scores={trend.scores} width={52} height={20} />}
    </span>
  )
}

/** Sign in and register, for visitors who are signed out. */
function Entrance() {
  const text = useMessages(frameMessages)
  const config = useConfig()
  const { isSignedIn } = useOwnTeam()
  const next = useNext()
  if (isSignedIn || config?.isArchived) return null
  return (
    <div className={styles.entrance}>
      <NavLink to={paths.signIn(next)} className={cx(styles.signIn)}>
        {text.toSignIn}
      </NavLink>
      {config?.registrationsEnabled !== false && (
        <NavLink to={paths.register()} className={cx(styles.registerLink)}>
          {text.register}
        </NavLink>
      )}
    </div>
  )
}
