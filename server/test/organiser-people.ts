import sql from 'sql-template-tag'
import type { Contest } from './harness.ts'
import { personIn } from './people.ts'

/** Requests of the routes for people in teams with permissions, by name of the route. */
export function organiserPeopleWrites(contest: () => Contest) {
  const organiser = async () => await personIn(contest(), (await contest().admin(1)).id)
  const data = { perms: 1 }
  return {
    'POST /api/v2/admin/organisers/:id/people': async () => ({
      params: { id: (await contest().admin(1)).id },
      body: { data: { ...data, name: 'Ada' } },
    }),
    'PUT /api/v2/admin/organisers/people/:id': async () => ({
      params: { id: (await organiser()).id },
      body: { data },
    }),
    'DELETE /api/v2/admin/organisers/people/:id/second-factor': async () => ({
      params: { id: (await organiser()).id },
    }),
    'DELETE /api/v2/admin/organisers/sessions/:id': async () => {
      const { id } = await organiser()
      const [session] = await contest().db.query<{ id: string }>(
        sql`select id from person_sessions where person_id = ${id}`,
      )
      return { params: { id: session?.id } }
    },
  }
}
