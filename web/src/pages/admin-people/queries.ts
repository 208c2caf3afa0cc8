import { listOrganiserPeople, listOrganiserSessions } from '@pennant/contract/organiser-people.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

const EVERY_MS = 30_000

export const organisersKey = [OWN_KEY, 'organiser-people'] as const

export const organiserPeopleQuery = queryOptions({
  queryKey: [...organisersKey, 'people'],
  queryFn: ({ signal }) => requestData(listOrganiserPeople, {}, { signal }),
  ...refresh(EVERY_MS),
})

export const organiserSessionsQuery = queryOptions({
  queryKey: [...organisersKey, 'sessions'],
  queryFn: ({ signal }) => requestData(listOrganiserSessions, {}, { signal }),
  ...refresh(EVERY_MS),
})

export type OrganiserPerson = Awaited<
  ReturnType<typeof requestData<typeof listOrganiserPeople>>
>['people'][number]
export type OrganiserSession = Awaited<
  ReturnType<typeof requestData<typeof listOrganiserSessions>>
>['sessions'][number]
