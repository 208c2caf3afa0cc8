import { listTeamPeople, readMe } from '@pennant/contract/people.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../api/client.ts'
import { OWN_KEY } from '../api/queries.ts'
import { paths } from '../paths.ts'
import { peopleMessages } from '../text/en/people.ts'
import { useMessages } from '../text/messages.ts'
import { useAction, type ActionResult } from './use-action.ts'

export const meQuery = queryOptions({
  queryKey: [OWN_KEY, 'person'],
  queryFn: ({ signal }) => requestData(readMe, {}, { signal }),
})

export const teamPeopleQuery = queryOptions({
  queryKey: [OWN_KEY, 'people'],
  queryFn: ({ signal }) => requestData(listTeamPeople, {}, { signal }),
})

export type TeamPeople = Awaited<ReturnType<typeof requestData<typeof listTeamPeople>>>

export function joinLink(code: string): string {
  return location.origin + paths.join(code)
}

/** The code of a pasted link, or what was pasted. */
export function joinCodeIn(text: string): string {
  return /\/join\/([^/?#\s]+)/.exec(text)?.[1] ?? text.trim()
}

/** As `useAction`, with the texts of what people are refused, which the first load does not need. */
export function usePeopleAction() {
  const { refusals } = useMessages(peopleMessages)
  const action = useAction('once')
  const said = (response: ActionResult) => {
    const message = refusals[response.kind]
    // Only the kind decides about the text, so one that has no text of its own shows the message.
    return message === undefined ? response : { ...response, kind: 'badPlace', message }
  }
  const run = async <A extends ActionResult>(send: () => Promise<A>, onGood?: () => Promise<unknown>) =>
    await action.run(async () => said(await send()) as A, onGood)
  return { ...action, run }
}
