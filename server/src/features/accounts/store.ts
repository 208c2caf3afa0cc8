import sql from 'sql-template-tag'
import type { Database } from '../../db/database.ts'
import { createBatcher } from '../../lib/batch.ts'
import type { Collision } from '../teams/collision.ts'
import { findOwnTeam } from '../teams/store.ts'
import { firstCollision, insertTeams, readTaken, type Identity, type NewTeam } from './new-teams.ts'
import * as registrations from './registrations.ts'

/** Rows of one statement. More would hold the change lock longer than other writers like to wait. */
const MAX_BATCH = 256

/** Some seconds of the fastest rush that was seen; whoever comes later is told to try again. */
const MAX_QUEUE = 8192

export interface AccountStore {
  /** The first thing of this identity that another team has. */
  findCollision(identity: Identity): Promise<Collision | null>
  /** Null when the team was made. Registrations that come together share a commit. */
  createTeam(team: NewTeam): Promise<Collision | null>
  /** Null when it is stored and its mail queued. */
  register(item: registrations.MailedRegistration): Promise<Collision | null>
  findRegistration(id: string, now: number): Promise<registrations.Registration | null>
  /** Makes the team of a registration; null when it is gone. */
  complete(id: string, now: number): Promise<registrations.Completion | null>
  /** For a team that was made elsewhere a moment ago. */
  findTeamName(id: string): Promise<string | null>
  findTeamIdByExtrankId(extrankId: string): Promise<string | null>
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
    complete: (id, now) => registrations.completeRegistration(db, id, { now }),
    findTeamName: async (id) => (await findOwnTeam(db, id))?.name ?? null,
    async findTeamIdByExtrankId(extrankId) {
      const [team] = await db.query<{ id: string }>(sql`select id from teams where extrank_id = ${extrankId}`)
      return team?.id ?? null
    },
  }
}
