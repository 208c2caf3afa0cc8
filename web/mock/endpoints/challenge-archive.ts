import * as contract from '@pennant/contract/challenge-archive.ts'
import { badChallenge } from '@pennant/contract/replies.ts'
import type { z } from 'zod'
import { challenge } from '../challenge-list.ts'
import { on } from '../handler.ts'

/** The archive itself is empty. */
const exported = on(contract.exportChallengeArchive, ({ world, query: { ids } }) =>
  ids === undefined || ids.split(',').every((id) => world.challenges.has(decodeURIComponent(id)))
    ? contract.goodChallengeArchiveFile()
    : badChallenge(),
)

const PLAN = { plan: 'mock', problems: [], problemCount: 0, ignored: [], ignoredCount: 0 }

const CREATED: z.input<typeof contract.ArchivePlan>['challenges'][number] = {
  id: 'lighthouse',
  name: 'Lighthouse',
  path: 'web/lighthouse',
  state: 'created',
  fields: ['name', 'category', 'flags'],
}

/** Every archive contains one new challenge; a file named `broken.zip` has problems. */
const imported = on(contract.importChallengeArchive, ({ world, query: { dryRun }, form }) => {
  const file = form?.get('archive')
  if (file instanceof File && file.name === 'broken.zip') {
    const problems = [{ path: 'web/shop/challenge.yaml', reason: 'points.min: must not be above max' }]
    const plan = { ...PLAN, challenges: [], problems, problemCount: 1 }
    return dryRun === 'true' ? contract.goodChallengeArchivePlan(plan) : contract.badChallengeArchive(plan)
  }
  const isNew = !world.challenges.has('lighthouse')
  const plan = {
    ...PLAN,
    challenges: [isNew ? CREATED : { ...CREATED, state: 'unchanged' as const, fields: [] }],
  }
  if (dryRun === 'true') return contract.goodChallengeArchivePlan(plan)
  const fresh = {
    id: 'lighthouse',
    name: 'Lighthouse',
    category: 'web',
    author: '',
    difficulty: 5,
    sortWeight: null,
  }
  world.challenges.set('lighthouse', { ...challenge(fresh), description: '' })
  world.version++
  return contract.goodChallengeArchiveImport(plan)
})

export const challengeArchiveEndpoints = [exported, imported]
