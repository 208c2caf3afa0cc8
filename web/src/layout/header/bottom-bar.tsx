import { NavLink } from 'react-router'
import { useIsArchive, useMaySee, useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './header.module.css'
import { useNext } from './use-next.ts'

/** Navigation on narrow screens. */
export function BottomBar() {
  const text = useMessages(frameMessages)
  const { isSignedIn } = useOwnTeam()
  const next = useNext()
  // In an archive no one can sign in.
  const shown = useIsArchive() ? 3 : 4
  const maySee = useMaySee()
  const links: readonly (readonly [path: string, icon: IconName, word: string, isShown?: boolean | null])[] =
    [
      [paths.home(), 'home', text.home],
      [paths.challenges(), 'challenges', text.challenges, maySee('challenges')],
      [paths.scores(), 'scores', text.scoreboard, maySee('scoreboard')],
      [isSignedIn ? paths.ownTeam() : paths.signIn(next), 'team', isSignedIn ? text.team : text.toSignIn],
    ]
  return (
    <nav aria-label={text.mainNavigation} className={styles.bottomBar}>
      {links.slice(0, shown).map(
        ([path, icon, word, isShown = true]) =>
          isShown && (
            <NavLink
              key={icon}
              to={path}
              // Other teams' profiles are not the viewer's.
              end={path === paths.home() || path === paths.ownTeam()}
              className={({ isActive }) => cx(styles.bottomLink, isActive && styles.active)}
            >
              <Icon name={icon} size={20} />
              <span className={styles.bottomWord}>{word}</span>
            </NavLink>
          ),
      )}
    </nav>
  )
}
