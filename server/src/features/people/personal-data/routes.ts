import { Readable } from 'node:stream'
import { badUserPrivileged } from '@pennant/contract/admin-teams.ts'
import * as people from '@pennant/contract/people.ts'
import * as contract from '@pennant/contract/personal-data.ts'
import { badEndpoint, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import type { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Streamed } from '../../../http/response/streamed.ts'
import type { Log } from '../../../lib/log.ts'
import { findPlayer } from '../persons/admin-store.ts'
import type { PeopleRules } from '../persons/people-deps.ts'
import { downloadOf } from './download.ts'
import { erasePerson, eraseSelf, eraseTeam } from './erasure.ts'
import { declaredData } from './record.ts'
import { findRun, previewOf } from './retention.ts'
import type { Retention } from './rules.ts'

type Record = z.input<typeof contract.ProcessingRecord>

export interface PersonalDataDeps {
  readonly db: Database
  readonly now: () => number
  readonly log: Log
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly people: Pick<PeopleRules, 'mode'>
  readonly retention: () => Retention
  /** What the configuration says of the deployment. */
  readonly deployment: () => Promise<Pick<Record, 'receivers' | 'measures'>>
}

/** What teams and people do with what is stored about them, and organisers for them. */
export function personalDataRoutes(deps: PersonalDataDeps): Endpoint[] {
  const { db, now, log, retention } = deps
  const download = (kind: 'team' | 'person', id: string): Streamed => {
    const content = Readable.from(downloadOf(db, { kind, id, now: now() }), { objectMode: false })
    // The response has begun: the client only sees that it ends early.
    content.once('error', (error) => log.error({ err: error }, 'a download of personal data failed'))
    return { kind: 'streamed', fileName: 'personal-data.json', sizeBytes: null, content }
  }
  return [
    on(contract.readPrivacy, () => contract.goodPrivacy(retention())),

    on(contract.downloadTeamData, ({ team }) => download('team', team.id)),
    on(contract.downloadPersonData, ({ person }) => download('person', person.id)),

    on(contract.readProcessingRecord, async () => {
      const { controller, ...rules } = retention()
      const { eraseAt } = rules
      return contract.goodProcessingRecord({
        controller,
        retention: {
          ...rules,
          preview: await previewOf(db, retention(), now()),
          run: eraseAt === null ? null : await findRun(db, eraseAt),
        },
        data: declaredData(rules.erasesMessages),
        ...(await deps.deployment()),
      })
    }),

    ...erasureRoutes(deps),
  ]
}

function erasureRoutes({ db, now, caughtUp, people: { mode } }: PersonalDataDeps): Endpoint[] {
  return [
    on(contract.eraseOwnTeam, async ({ team: { id }, body: { name } }) => {
      const outcome = await db.change((tx) => eraseTeam(tx, { id, name, now: now() }))
      if (typeof outcome === 'string') return teamRefusals[outcome]()
      await caughtUp()
      return contract.goodTeamErase(outcome)
    }),

    on(contract.eraseMe, async ({ person: { id }, body: { name, withTeam } }) => {
      const isPersonRequired = mode === 'required'
      const outcome = await db.change((tx) =>
        eraseSelf(tx, { id, name, withTeam, isPersonRequired, now: now() }),
      )
      if (outcome !== 'done') return personRefusals[outcome]()
      await caughtUp()
      return contract.goodPersonErase()
    }),

    on(contract.eraseTeam, async ({ params: { id }, team: { id: actorId }, ip }) => {
      const outcome = await db.change((tx) => eraseTeam(tx, { id, now: now() }, { actorId, ip }))
      if (outcome === 'privileged') return badUserPrivileged()
      return typeof outcome === 'string' ? badUnknownUser() : contract.goodTeamErase(outcome)
    }),

    on(people.deletePerson, async ({ params: { id }, team: { id: actorId }, ip }) => {
      if (mode === 'off') return badEndpoint()
      const found = await db.change(async (tx) => {
        const row = await findPlayer(tx, id)
        if (typeof row !== 'string') await erasePerson(tx, id, { actorId, ip })
        return row
      })
      if (found === 'gone') return people.badPerson()
      return found === 'privileged' ? badUserPrivileged() : people.goodAdminPersonDelete()
    }),
  ]
}

const teamRefusals = { gone: badToken, privileged: badUserPrivileged, name: contract.badConfirmation }

const personRefusals = {
  gone: badToken,
  name: contract.badConfirmation,
  'hand-over': people.badHandOver,
  last: contract.badLastInTeam,
  privileged: badUserPrivileged,
}
