import type { listPeople } from '@pennant/contract/people.ts'
import type { requestData } from '../api/client.ts'
import { OWN_KEY } from '../api/queries.ts'

/** Query key prefix of all lists of people. */
export const adminPeopleKey = [OWN_KEY, 'admin-people'] as const

export type AdminPerson = Awaited<ReturnType<typeof requestData<typeof listPeople>>>['people'][number]
