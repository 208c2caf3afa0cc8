import * as contract from '@pennant/contract/challenge-archive.ts'
import { badChallenge } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import type { WorldView } from '../../../world/model.ts'
import { readableBy } from '../../contest/challenges/readable.ts'
import { receiveArchive } from '../../site/uploads/receive-archive.ts'
import { openStaging } from '../../site/uploads/staging.ts'
import { exportFiles } from './export.ts'
import { importArchive, type ImportDeps, type ImportResult } from './import.ts'
import { archivePlan } from './views.ts'
import { writeZip } from './write-zip.ts'
import { decoded } from '../../../lib/decoded.ts'

export interface ChallengeArchiveDeps extends ImportDeps {
  readonly world: () => WorldView
}

/** Unpacking takes a processor core, which players share. The others of a team of organisers wait. */
const IMPORTS = { slots: 1, maxQueue: 8 }

const FILE_NAME = 'challenges.zip'

export function challengeArchiveRoutes(deps: ChallengeArchiveDeps): Endpoint[] {
  const { world, archives, uploads, log, maxRequestBodySize } = deps
  const inTurn = createSemaphore(IMPORTS)
  return [
    on(contract.exportChallengeArchive, async ({ query: { ids }, team: { perms } }) => {
      const found = ids === undefined ? world().challenges() : chosen(world(), ids)
      if (!found) return badChallenge()
      const challenges = found.map((row) => readableBy(perms, row))
      const exported = await exportFiles(uploads, { challenges, archives, world: world() })
      if ('missing' in exported)
        return contract.badChallengeFiles({ files: exported.missing.slice(0, contract.MAX_ARCHIVE_LINES) })
      const { content, sizeBytes } = await writeZip(exported.files)
      // The response has begun: the client only sees that it ends early.
      content.once('error', (error) => log.error({ err: error }, 'an export of challenges failed'))
      return { kind: 'streamed', fileName: FILE_NAME, sizeBytes, content }
    }),

    on(contract.importChallengeArchive, async ({ incoming, query, team, ip }) => {
      await using staging = openStaging(uploads.stagingFolder)
      const form = await receiveArchive(incoming, { staging, maxRequestBodySize, log })
      if ('refused' in form) return form.refused
      const { path, sha256 } = form.archive
      const importer = query.dryRun === 'true' ? null : { actorId: team.id, ip }
      const storesPictures = query.storePictures === 'true'
      const request = { path, sha256, importer, expectedPlan: query.plan, storesPictures }
      return responseOf(await inTurn(() => importArchive(deps, request)))
    }),
  ]
}

/** The challenges of a list of ids, in its order; null if one does not exist. */
function chosen(world: WorldView, ids: string) {
  const wanted = new Set(ids.split(',').map(decoded))
  const found = [...wanted].map((id) => world.challenge(id))
  return found.every((challenge) => challenge !== undefined && challenge !== null) ? found : null
}

function responseOf(result: ImportResult) {
  const plan = archivePlan(result)
  switch (result.outcome) {
    case 'planned':
      return contract.goodChallengeArchivePlan(plan)
    case 'imported':
      return contract.goodChallengeArchiveImport(plan)
    case 'has problems':
      return contract.badChallengeArchive(plan)
    case 'differs from the plan':
      return contract.badChallengeArchivePlan(plan)
  }
}
