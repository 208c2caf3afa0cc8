import sql from 'sql-template-tag'
import type { Contest } from './harness.ts'
import { personIn, teamless } from './people.ts'

/** Requests of organisers that change people, by name of the route. */
export function peopleWrites(contest: () => Contest) {
  const organiser = async () => await personIn(contest(), (await contest().admin(1)).id)
  const person = async () => ({ params: { id: (await teamless(contest())).id } })
  const data = { perms: 1 }
  return {
    'PUT /api/v2/admin/people/:id': async () => ({
      ...(await person()),
      body: { data: { name: 'Renamed' } },
    }),
    'POST /api/v2/admin/people/:id/sign-out': person,
    'DELETE /api/v2/admin/people/:id': person,
    'POST /api/v2/admin/organisers/:id/people': async () => ({
      params: { id: (await contest().admin(1)).id },
      body: { data: { ...data, name: 'Ada' } },
    }),
    'PUT /api/v2/admin/organiser-people/:id': async () => ({
      params: { id: (await organiser()).id },
      body: { data },
    }),
    'DELETE /api/v2/admin/organiser-people/:id/second-factor': async () => ({
      params: { id: (await organiser()).id },
    }),
    'DELETE /api/v2/admin/organiser-sessions/:id': async () => {
      const { id } = await organiser()
      const [session] = await contest().db.query<{ id: string }>(
        sql`select id from person_sessions where person_id = ${id}`,
      )
      return { params: { id: session?.id } }
    },
  }
}
