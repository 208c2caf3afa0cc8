import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Database } from '../../../db/database.ts'
import { addAllToOutbox } from '../../../db/outbox.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { randomId } from '../../../lib/uuid.ts'
import { firstCollision, insertTeams, readTaken } from '../teams/new-teams.ts'
import type { DecisionMails } from './queue.ts'
import { MAX_PROBLEMS, type FileTeam, type Problem, type TeamFile } from './team-file.ts'

export interface ImportOptions {
  readonly by: ActionBy
  readonly dryRun: boolean
  readonly mails: DecisionMails | null
}

export interface TeamImport {
  readonly created: boolean
  readonly teams: readonly (FileTeam & { readonly id: string })[]
  readonly problems: readonly Problem[]
}

/** Creates all teams of a file or, with any problem, none of them. */
export async function importTeams(
  db: Database,
  { teams, problems }: TeamFile,
  { by, dryRun, mails }: ImportOptions,
): Promise<TeamImport> {
  const rows = teams.map((team) => ({ ...team, id: randomId(), perms: 0, extrankId: null }))
  return await db.change(async (tx) => {
    const taken = await readTaken(tx, rows)
    const known = rows.flatMap((team): Problem[] => {
      const column = firstCollision(team, taken)
      if (column !== 'name' && column !== 'email') return []
      return [{ line: team.line, column, problem: column === 'name' ? 'knownName' : 'knownEmail' }]
    })
    const all = [...problems, ...known].toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS)
    if (dryRun || all.length > 0) return { created: false, teams: rows, problems: all }
    const collisions = await insertTeams(tx, rows)
    if (collisions.some((collision) => collision !== null))
      throw new Error('a team of a file collided although all of them were checked')
    if (mails)
      await tx.query(
        addAllToOutbox(
          'mail',
          rows.map(({ id, email }) => ({ kind: 'approved', to: email, token: mails.tokenOf(id) })),
        ),
      )
    const change = loggedChange(null, {
      teams: rows.map(({ id, name, division }) => ({ id, name, division })),
    })
    await tx.query(recordAdminAction({ ...by, ...change, action: 'team.import', target: null }))
    return { created: true, teams: rows, problems: [] }
  })
}
