import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { readChallenges } from '../../../world/rows.ts'
import type { FileEntry } from '../../../world/model.ts'
import { writeChallenge } from '../../contest/challenges/admin-store.ts'
import type { ChallengePatch } from '../../contest/challenges/challenge-patch.ts'
import type { ArchiveField } from '@pennant/contract/challenge-archive.ts'
import { findPrerequisiteProblems } from '../../contest/challenges/prerequisites.ts'
import { editedPrerequisites, type OpenedField, type PlanDeps, type PlannedChallenge } from './plan.ts'

/** Who imports, for the action log. */
export type Importer = ActionBy

export interface Application {
  /** Those that change. */
  readonly challenges: readonly PlannedChallenge[]
  readonly opened: readonly OpenedField[]
  /** The files to store in a challenge, by the path of a file in the archive. */
  readonly filesOf: (planned: PlannedChallenge) => readonly FileEntry[]
  readonly importer: Importer
}

/** The challenges changed between the plan and the lock: everything is rolled back. */
class StalePlanError extends Error {
  override readonly name = 'StalePlanError'
}

/** Writes all challenges in one transaction. Returns false, and writes nothing, if the plan is stale. */
export async function applyPlan({ db }: Pick<PlanDeps, 'db'>, application: Application): Promise<boolean> {
  const { challenges, importer } = application
  if (challenges.length === 0) return true
  try {
    await db.change(async (tx) => {
      await requireSameVersions(tx, challenges)
      // Challenges outside of the archive may have changed. One at a time, an order of edits could look like a cycle.
      const problems = await findPrerequisiteProblems(tx, editedPrerequisites(challenges))
      if (problems.size > 0) throw new StalePlanError()
      for (const planned of challenges) await write(tx, planned, application)
      const keys = challenges.map(({ value }) => value.id)
      const change = loggedChange(null, { challenges: keys })
      await tx.query(
        recordAdminAction({ ...importer, ...change, action: 'challenge.import', target: null, keys }),
      )
    })
    return true
  } catch (error) {
    if (error instanceof StalePlanError) return false
    throw error
  }
}

/** All changes of challenges take the same lock, so the versions stay until the commit. */
async function requireSameVersions(
  tx: ChangeTransaction,
  challenges: readonly PlannedChallenge[],
): Promise<void> {
  const ids = challenges.map(({ value }) => value.id)
  const rows = new Map((await readChallenges(tx, ids)).map((row) => [row.id, row]))
  for (const { value, stored } of challenges) {
    const row = rows.get(value.id)
    if (row?.version !== stored?.version || row?.n !== stored?.n) throw new StalePlanError()
  }
}

async function write(
  tx: ChangeTransaction,
  planned: PlannedChallenge,
  application: Application,
): Promise<void> {
  const { value, stored, fields } = planned
  const beside = application.opened.filter(
    ({ field, write: writeRows }) => writeRows && fields.includes(field),
  )
  if (!stored || fields.length > beside.length) await writeFields(tx, planned, application)
  for (const { field, write: writeRows } of beside) {
    const change = { value: value[field], by: application.importer }
    if (!(await writeRows?.(tx, value.id, change))) throw new StalePlanError()
  }
}

async function writeFields(
  tx: ChangeTransaction,
  planned: PlannedChallenge,
  { filesOf, importer, opened }: Application,
): Promise<void> {
  const { value, fields, instancerConfig } = planned
  const files = fields.includes('files') ? filesOf(planned) : undefined
  let patch: ChallengePatch = { ...patchOf(planned), files }
  for (const each of opened) patch = { ...patch, ...each.patchOf?.(value.id) }
  const written = await writeChallenge(tx, {
    id: value.id,
    patch,
    instancerConfig: instancerConfig === undefined ? undefined : () => ({ value: instancerConfig }),
    editor: { ...importer, keys: fields },
    arePrerequisitesChecked: true,
  })
  // Someone solved it since the check of its scoring kind, or put it into a wave.
  if (written !== 'written') throw new StalePlanError()
}

function patchOf({ value, fields, adminBotConfig }: PlannedChallenge): ChallengePatch {
  const given = <F extends ArchiveField>(field: F) => (fields.includes(field) ? value[field] : undefined)
  return {
    name: given('name'),
    category: given('category'),
    author: given('author'),
    description: given('description'),
    flags: given('flags'),
    points: given('points'),
    tiebreakEligible: given('tiebreakEligible'),
    sortWeight: given('sortWeight'),
    hidden: given('hidden'),
    releaseAt: given('releaseTime'),
    scoring: given('scoring'),
    adminBotConfig,
    tags: given('tags'),
    prerequisites: given('prerequisites'),
    lockedShown: given('lockedShown'),
  }
}
