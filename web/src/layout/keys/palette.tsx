import { filterTeams } from '@pennant/contract/admin-teams.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ask } from '../../api/client.ts'
import { challengesQuery, ownKey } from '../../api/queries.ts'
import { useGate, useMay } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { frameCatalogue } from '../../text/frame.ts'
import { CommandPalette } from '../../ui/keys/command-palette.tsx'
import { TYPING_RESTS_MS, useRested } from '../../ui/use-rested.ts'
import { useSitePages } from './use-site-pages.ts'

const MOST_TEAMS = 10
/** The API refuses shorter searches. */
const SHORTEST_SEARCH = 2

/** Goes to a page or a challenge, and organisers to a team, by parts of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const text = useText(frameCatalogue)
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { isOpen, isEarly } = useGate('challsRead')
  const challenges = useQuery({ ...challengesQuery({ bypass: isEarly }), enabled: isOpen })
  const teams = useQuery({ ...teamsQuery(useRested(typed.trim(), TYPING_RESTS_MS)), ...useTeamsGate(typed) })
  const pages = useSitePages()
  const entry = (kind: string, name: string, path: string) => ({
    id: path,
    kind,
    name,
    // The layer's entry of the history gives way: taking it back would call the navigation off.
    onChoose: () => void Promise.resolve(navigate(path, { replace: true })).then(onClose),
  })
  const entries = [
    ...pages.map(({ name, path, isOrganisers }) =>
      entry(isOrganisers ? text.organiserPage : text.page, name, path),
    ),
    ...(challenges.data ?? []).map(({ id, name }) => entry(text.challenge, name, paths.challenge(id))),
    ...(teams.data?.users ?? []).map(({ id, name }) => entry(text.team, name, paths.adminTeam(id))),
  ]
  return <CommandPalette open onClose={onClose} entries={entries} onType={setTyped} />
}

function useTeamsGate(typed: string): { readonly enabled: boolean } {
  const may = useMay('usersWrite')
  return { enabled: may && typed.trim().length >= SHORTEST_SEARCH }
}

function teamsQuery(search: string) {
  const query = { limit: String(MOST_TEAMS), offset: '0', search }
  return queryOptions({
    queryKey: [ownKey, 'palette-teams', search],
    queryFn: ({ signal }) => ask(filterTeams, { query, body: {} }, { signal }),
    placeholderData: keepPreviousData,
    enabled: search.length >= SHORTEST_SEARCH,
  })
}
