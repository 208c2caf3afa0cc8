import { Link, NavLink } from 'react-router'
import { useConfig, useOwnTeam } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useText } from '../text/catalogue.ts'
import { useFormat } from '../text/format.ts'
import { frameCatalogue } from '../text/frame.ts'
import { cx } from '../ui/cx.ts'
import styles from './layout.module.css'
import { Logo } from './logo.tsx'
import { PhaseClock } from './phase-clock.tsx'
import { TeamMenu } from './team-menu.tsx'
import { useNext } from './use-next.ts'

export function Header() {
  const text = useText(frameCatalogue)
  const { team } = useOwnTeam()
  return (
    <header className="pn-header">
      <Logo />
      <nav aria-label={text.mainNavigation} className={styles.nav}>
        <HeaderLink to={paths.challenges()}>{text.challenges}</HeaderLink>
        <HeaderLink to={paths.scores()}>{text.scoreboard}</HeaderLink>
        {team !== undefined && team.perms > 0 && (
          <HeaderLink to={paths.dashboard()}>{text.organise}</HeaderLink>
        )}
      </nav>
      <div className={styles.headerEnd}>
        <PhaseClock />
        <OwnPlace />
        <Entrance />
        <TeamMenu />
      </div>
    </header>
  )
}

function HeaderLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <NavLink to={to} className={({ isActive }) => cx(styles.link, isActive && styles.active)}>
      {children}
    </NavLink>
  )
}

/** Place and score of the own team. Its width is kept while they are fetched. */
function OwnPlace() {
  const text = useText(frameCatalogue)
  const format = useFormat()
  const { isSignedIn, team } = useOwnTeam()
  if (!isSignedIn) return null
  if (!team) return <span className={styles.own} />
  const score = text.points(format.number(team.score))
  const { globalPlace } = team
  return (
    <Link to={paths.ownTeam()} className={styles.own}>
      {globalPlace === null ? score : text.placeAndScore(text.place(format.number(globalPlace)), score)}
    </Link>
  )
}

/** Sign in and register, for who is not signed in and may be. */
function Entrance() {
  const text = useText(frameCatalogue)
  const config = useConfig()
  const { isSignedIn } = useOwnTeam()
  const next = useNext()
  if (isSignedIn || config?.isArchived) return null
  return (
    <div className={styles.entrance}>
      <HeaderLink to={paths.signIn(next)}>{text.signIn}</HeaderLink>
      {config?.registrationsEnabled !== false && (
        <HeaderLink to={paths.register()}>{text.register}</HeaderLink>
      )}
    </div>
  )
}
