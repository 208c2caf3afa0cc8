import { useNavigate } from 'react-router'
import { useNamedPages } from '../../api/pages.ts'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { languages, setPreference, useLanguage, usePreferences } from '../../state/preferences.ts'
import { signOut } from '../../state/session.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import { Menu, type MenuItem } from '../../ui/layers/floats.tsx'
import { openFrameLayer } from '../keys/open-layer.ts'
import { useNext } from './use-next.ts'

const THEMES = ['auto', 'dark', 'light'] as const

/** Everything that does not fit in the header: the team's pages, theme, language, sign-out. */
export function TeamMenu() {
  const text = useMessages(frameMessages)
  const { isSignedIn, team } = useOwnTeam()
  const label = team ? text.teamMenu(team.name) : text.menu
  const ownPages = useTeamItems()
  const look = useLookItems()
  const keys: MenuItem = { label: text.shortcuts, onSelect: () => openFrameLayer('shortcuts') }
  const leave: MenuItem[] = isSignedIn ? [{ label: text.signOut, onSelect: signOut }] : []
  return (
    <Menu
      target={<IconButton icon="menu" label={label} />}
      items={[...ownPages, ...usePageItems(), ...look, keys, ...leave]}
    />
  )
}

function useTeamItems(): MenuItem[] {
  const text = useMessages(frameMessages)
  const navigate = useNavigate()
  const config = useConfig()
  const { isSignedIn, team } = useOwnTeam()
  const next = useNext()
  const item = (label: string, path: string): MenuItem => ({ label, onSelect: () => void navigate(path) })
  if (isSignedIn) {
    const organise = team !== undefined && team.perms > 0 ? [item(text.organise, paths.dashboard())] : []
    return [item(text.profile, paths.ownTeam()), item(text.settings, paths.settings()), ...organise]
  }
  if (config?.isArchived) return []
  const register = config?.registrationsEnabled === false ? [] : [item(text.register, paths.register())]
  return [item(text.toSignIn, paths.signIn(next)), ...register]
}

/** Pages of the organisers that belong to the main menu. */
function usePageItems(): MenuItem[] {
  const navigate = useNavigate()
  return useNamedPages()
    .filter(({ place }) => place === 'menu')
    .map(({ slug, title }) => ({ label: title, onSelect: () => void navigate(paths.page(slug)) }))
}

function useLookItems(): MenuItem[] {
  const text = useMessages(frameMessages)
  const { theme = 'auto' } = usePreferences()
  const language = useLanguage()
  return [
    ...THEMES.map((name) => ({
      label: text.themeTo[name],
      isCurrent: name === theme,
      onSelect: () => setPreference('theme', name === 'auto' ? undefined : name),
    })),
    ...languages.map((name) => ({
      label: text.languageName[name],
      isCurrent: name === language,
      onSelect: () => setPreference('language', name),
    })),
  ]
}
