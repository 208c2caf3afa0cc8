import { NavLink } from 'react-router'
import { useOwnTeam } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'
import { cx } from '../ui/cx.ts'
import styles from './layout.module.css'
import { NavIcon, type NavIconName } from './nav-icon.tsx'

/** The way around on a narrow screen. */
export function BottomBar() {
  const text = useText(frameCatalogue)
  const { isSignedIn } = useOwnTeam()
  const links: readonly (readonly [path: string, icon: NavIconName, word: string])[] = [
    [paths.home(), 'home', text.home],
    [paths.challenges(), 'challenges', text.challenges],
    [paths.scores(), 'scores', text.scoreboard],
    [isSignedIn ? paths.ownTeam() : paths.signIn(), 'team', isSignedIn ? text.team : text.signIn],
  ]
  return (
    <nav aria-label={text.mainNavigation} className={styles.bottomBar}>
      {links.map(([path, icon, word]) => (
        <NavLink
          key={path}
          to={path}
          end={path === '/'}
          className={({ isActive }) => cx(styles.bottomLink, isActive && styles.active)}
        >
          <NavIcon name={icon} />
          {word}
        </NavLink>
      ))}
    </nav>
  )
}
