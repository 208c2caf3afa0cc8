import { readProfileV2 } from '@pennant/contract/teams.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { ownKey } from '../../api/queries.ts'
import { refreshForAll as refresh } from '../../state/live.ts'

const EVERY_MS = 60_000

/** The public profile; with `bypass`, what a team with the right sees before the start. */
export function teamQuery(id: string, { bypass = false } = {}) {
  return queryOptions({
    queryKey: [...(bypass ? [ownKey] : []), 'team', id],
    queryFn: ({ signal }) =>
      ask(readProfileV2, { params: { id } }, { signal, asTeam: bypass, turn: 'later' }),
    placeholderData: keepPreviousData,
    ...refresh(EVERY_MS),
  })
}
