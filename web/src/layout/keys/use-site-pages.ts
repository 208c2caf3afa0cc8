import { useNamedPages } from '../../api/pages.ts'
import { useConfig, useMaySee, useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { isHere, missingFor, organiserEntries } from '../organiser-entries.ts'

export interface SitePage {
  readonly name: string
  readonly path: string
  /** Whether it is an organiser page. */
  readonly isOrganisers: boolean
}

/** The pages that this visitor may open, for the palette's search. */
export function useSitePages(): readonly SitePage[] {
  const text = useMessages(frameMessages)
  const config = useConfig()
  const { isSignedIn, team } = useOwnTeam()
  const maySee = useMaySee()
  const own = isSignedIn ? [page(text.profile, paths.ownTeam()), page(text.settings, paths.settings())] : []
  const isShut = isSignedIn || config?.isArchived
  const entrance = isShut ? [] : [page(text.toSignIn, paths.signIn())]
  const register =
    isShut || config?.registrationsEnabled === false ? [] : [page(text.register, paths.register())]
  const perms = team?.perms ?? 0
  const organisers = organiserEntries
    .filter((entry) => perms !== 0 && missingFor(entry, perms) === undefined && isHere(entry, config))
    .map(({ word, path }) => ({ name: text.organiser[word], path, isOrganisers: true }))
  return [
    page(text.home, paths.home()),
    ...(maySee('challenges') ? [page(text.challenges, paths.challenges())] : []),
    ...(maySee('scoreboard') ? [page(text.scoreboard, paths.scores())] : []),
    ...useNamedPages().map(({ title, slug }) => page(title, paths.page(slug))),
    ...own,
    ...entrance,
    ...register,
    ...organisers,
  ]
}

function page(name: string, path: string): SitePage {
  return { name, path, isOrganisers: false }
}
