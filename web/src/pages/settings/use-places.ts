import { useQueryClient } from '@tanstack/react-query'
import { usePeopleAction } from '../../account/people.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { announce } from '../../ui/announcer.tsx'

export type PeopleAction = ReturnType<typeof usePlaces>

/** Changes places of people, and reads again whatever belongs to the team. */
export function usePlaces() {
  const action = usePeopleAction()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: [OWN_KEY] })
  const run: typeof action.run = async (request) => await action.run(request, refresh)
  const change = async (request: Parameters<typeof run>[0], done: string) => {
    if (await run(request)) announce(done)
  }
  return { change, failure: action.failure, isPending: action.isPending }
}
