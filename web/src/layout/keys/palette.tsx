import { filterTeams } from '@pennant/contract/admin-teams.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { requestData } from '../../api/client.ts'
import { boardQuery, challengesQuery, OWN_KEY } from '../../api/queries.ts'
import { useGate, useMay } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { SEARCH_DELAY_MS } from '../../ui/fields/search-input.tsx'
import { CommandPalette } from '../../ui/keys/command-palette.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { useSitePages } from './use-site-pages.ts'

const MAX_TEAMS = 10
/** The API rejects shorter searches. */
const SHORTEST_SEARCH = 2
const RANKED_DELAY_MS = 700

/** Opens a page, a challenge or a team, by part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const text = useMessages(frameMessages)
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { isOpen, isEarly } = useGate('challsRead')
  const challenges = useQuery({ ...challengesQuery({ bypass: isEarly }), enabled: isOpen })
  const search = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const mayManage = useMay('usersWrite')
  const isSearch = typed.trim().length >= SHORTEST_SEARCH
  const teams = useQuery({ ...teamsQuery(search), enabled: mayManage && isSearch })
  const ranked = useRankedTeams(typed.trim(), !mayManage && isSearch)
  const pages = useSitePages()
  const entry = (kind: string, name: string, path: string) => ({
    id: path,
    kind,
    name,
    // Replaces the layer's history entry: going back over it would cancel the navigation.
    onChoose: () => void Promise.resolve(navigate(path, { replace: true })).then(onClose),
  })
  const entries = [
    ...pages.map(({ name, path, isOrganisers }) =>
      entry(isOrganisers ? text.organisers : text.page, name, path),
    ),
    ...(challenges.data ?? []).map(({ id, name }) => entry(text.challenge, name, paths.challenge(id))),
    ...(teams.data?.users ?? []).map(({ id, name }) => entry(text.team, name, paths.adminTeam(id))),
    ...ranked.map(({ id, name }) => entry(text.team, name, paths.team(id))),
  ]
  return <CommandPalette open onClose={onClose} entries={entries} onType={setTyped} />
}

/** Players find teams through the scoreboard, whose searches are limited by address. */
function useRankedTeams(typed: string, isWanted: boolean) {
  const { isOpen, isEarly } = useGate('leaderboardRead')
  const search = useDebouncedValue(typed, RANKED_DELAY_MS)
  const found = boardQuery({ page: 0, limit: MAX_TEAMS, search, everyMs: null, bypass: isEarly })
  const { data } = useQuery({ ...found, enabled: isWanted && isOpen && search.length >= SHORTEST_SEARCH })
  return isWanted ? (data?.leaderboard ?? []) : []
}

function teamsQuery(search: string) {
  const query = { limit: String(MAX_TEAMS), offset: '0', search }
  return queryOptions({
    queryKey: [OWN_KEY, 'palette-teams', search],
    queryFn: ({ signal }) => requestData(filterTeams, { query, body: {} }, { signal }),
    placeholderData: keepPreviousData,
    enabled: search.length >= SHORTEST_SEARCH,
  })
}
