import sql from 'sql-template-tag'
import type { Database } from '../../../db/database.ts'
import { createBatcher } from '../../../lib/batch.ts'
import type { RegistrationRules } from '../../site/settings/registration-rules.ts'
import type { Collision } from '../teams/collision.ts'
import { tokensValidFrom } from '../teams/token-validity.ts'
import { firstCollision, insertTeams, readTaken, type Identity, type NewTeam } from '../teams/new-teams.ts'
import * as registrations from './registrations.ts'

/** Rows per statement. A larger batch would hold the change lock too long for other writers. */
const MAX_BATCH = 256

/**
 * A few seconds of the highest registration rate observed. Beyond that, requests are rejected and clients
 * retry.
 */
const MAX_QUEUE = 8192

interface StoredTeam {
  readonly id: string
  readonly name: string
  readonly tokensValidFrom: number
}

export interface AccountStore {
  /** The first identity field that another team already has. */
  findCollision(identity: Identity): Promise<Collision | null>
  /** Null if the team was created. Concurrent registrations share a commit. */
  createTeam(team: NewTeam): Promise<Collision | null>
  /** Null if the registration is stored and its email queued. */
  register(item: registrations.MailedRegistration): Promise<Collision | null>
  findRegistration(id: string, now: number): Promise<registrations.Registration | null>
  /** Creates the team of a registration. Null if the registration no longer exists. */
  complete(id: string, now: number, rules?: RegistrationRules): Promise<registrations.Completion | null>
  /** For a team that another process may have created a moment ago. */
  findTeam(id: string): Promise<StoredTeam | null>
  findTeamByExtrankId(extrankId: string): Promise<StoredTeam | null>
}

export function createAccountStore(db: Database): AccountStore {
  return {
    findCollision: async (identity) => firstCollision(identity, await readTaken(db, [identity])),
    createTeam: createBatcher({
      run: (teams: readonly NewTeam[]) => db.change((tx) => insertTeams(tx, teams)),
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
    }),
    register: createBatcher({
      run: (items: readonly registrations.MailedRegistration[]) =>
        registrations.storeRegistrations(db, items),
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
    }),
    findRegistration: (id, now) => registrations.findRegistration(db, id, now),
    complete: (id, now, rules) =>
      registrations.completeRegistration(db, id, { now, ...(rules && { rules }) }),
    async findTeam(id) {
      const [team] = await db.query<StoredTeam>(
        sql`select id, name, ${tokensValidFrom} from teams where id = ${id}`,
      )
      return team ?? null
    },
    async findTeamByExtrankId(extrankId) {
      const [team] = await db.query<StoredTeam>(
        sql`select id, name, ${tokensValidFrom} from teams where extrank_id = ${extrankId}`,
      )
      return team ?? null
    },
  }
}
