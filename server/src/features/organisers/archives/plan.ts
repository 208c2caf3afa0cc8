import { createHash } from 'node:crypto'
import type { ArchiveField } from '@pennant/contract/challenge-archive.ts'
import type { Database, Queries } from '../../../db/database.ts'
import type { ChallengeRow } from '../../../world/model.ts'
import { readChallenges } from '../../../world/rows.ts'
import { isKindFixed, mergeInstancer } from '../../contest/challenges/admin-rules.ts'
import { countSolves } from '../../contest/challenges/admin-store.ts'
import {
  checkBot,
  checkFlags,
  checkInstancer,
  type EditChecks,
} from '../../contest/challenges/edit-checks.ts'
import { findPrerequisiteProblems } from '../../contest/challenges/prerequisites.ts'
import type { AnyArchiveKind, OpenField } from '../../contest/kinds/archive-kind.ts'
import { changedFields, withDefaults, type HashOf } from './compare.ts'
import type { ReadChallenge } from './read-folders.ts'
import type { ChallengeValue, Problem } from './value.ts'
import { DOCUMENT_NAME } from './write-folders.ts'

type Json = Readonly<Record<string, unknown>>

export interface PlannedChallenge {
  readonly folder: string
  /** With the defaults of a new challenge, if it is one. */
  readonly value: ChallengeValue
  readonly stored: ChallengeRow | null
  /** Empty if nothing changes. */
  readonly fields: readonly ArchiveField[]
  /** Instancer settings with their defaults, if they change. */
  readonly instancerConfig?: Json | null
  /** The settings that the code of the admin bot leads to, if it changes. */
  readonly adminBotConfig?: Json | null
}

export interface ChallengePlan {
  /** Identifies the content and the stored versions that it was compared with. */
  readonly id: string
  readonly challenges: readonly PlannedChallenge[]
  readonly problems: readonly Problem[]
  /** What it was compared with. */
  readonly opened: readonly OpenedField[]
}

/** A field that stands for rows of a kind, with what is stored. */
export interface OpenedField extends OpenField<unknown> {
  readonly field: ArchiveField
}

export interface PlanDeps extends EditChecks {
  readonly db: Database
  readonly archives: readonly AnyArchiveKind[]
}

export interface PlanInput {
  readonly challenges: readonly ReadChallenge[]
  readonly hashOf: HashOf
  /** Identifies the archive. */
  readonly sha256: string
}

/** Compares the challenges with the stored ones and checks what changes. Writes nothing. */
export async function planChallenges(deps: PlanDeps, input: PlanInput): Promise<ChallengePlan> {
  const ids = input.challenges.map(({ value }) => value.id)
  const stored = new Map((await readChallenges(deps.db, ids)).map((row) => [row.id, row]))
  const opened: OpenedField[] = []
  for (const { field, open } of deps.archives) opened.push({ field, ...(await open(deps.db, ids)) })
  const challenges: PlannedChallenge[] = []
  const problems: Problem[] = []
  for (const read of input.challenges) {
    const row = stored.get(read.value.id) ?? null
    const value = row ? read.value : withDefaults(read.value)
    const fields = changedFields(value, row, { hashOf: input.hashOf, beside: opened })
    const planned = { folder: read.folder, value, stored: row, fields }
    const checked = await check(deps, planned)
    challenges.push(checked.planned)
    const path = `${read.folder}/${DOCUMENT_NAME}`
    problems.push(...checked.problems.map((reason) => ({ path, reason })))
  }
  problems.push(
    ...(await prerequisiteProblems(deps.db, challenges)),
    ...(await Promise.all(opened.map((each) => fieldProblems(each, challenges)))).flat(),
  )
  const versions = ids.map((id) => {
    const row = stored.get(id)
    return [
      id,
      row?.n ?? null,
      row?.version ?? null,
      ...opened.map(({ versionOf }) => versionOf?.(id) ?? null),
    ]
  })
  const id = createHash('sha256')
    .update(JSON.stringify([input.sha256, versions]))
    .digest('hex')
  return { id, challenges, problems, opened }
}

/** Only checks what changes, so that an archive can always be imported where it was exported. */
async function check(deps: PlanDeps, planned: PlannedChallenge) {
  const { value, stored, fields } = planned
  const problems: string[] = []
  if (fields.includes('flags')) {
    const checked = await checkFlags(deps, value.flags ?? [])
    for (const { index, problem } of checked.problems) problems.push(`flags.${index}: ${plain(problem)}`)
  }
  if (fields.includes('scoring')) problems.push(...(await scoringProblems(deps.db, { value, stored })))
  const settings: { instancerConfig?: Json | null; adminBotConfig?: Json | null } = {}
  if (fields.includes('instancer')) {
    const merged = value.instancer ? mergeInstancer(null, value.instancer) : null
    const problem = merged && (await checkInstancer(deps, merged))
    if (problem) problems.push(`instancer: ${problem}`)
    settings.instancerConfig = merged
  }
  if (fields.includes('adminBot')) {
    const checked =
      typeof value.adminBot === 'string' ? await checkBot(deps, value.adminBot) : { value: null }
    if ('error' in checked) problems.push(`adminBot: ${checked.error}`)
    else settings.adminBotConfig = checked.value
  }
  return { planned: { ...planned, ...settings }, problems }
}

async function fieldProblems(
  { field, check: checkField }: OpenedField,
  challenges: readonly PlannedChallenge[],
): Promise<Problem[]> {
  const folders = new Map(challenges.map(({ folder, value }) => [value.id, folder]))
  const found = await checkField(
    challenges.map(({ value, stored, fields }) => ({ id: value.id, value: value[field], stored, fields })),
  )
  return found.map(({ id, reason }) => ({
    path: id === null ? '' : `${folders.get(id)}/${DOCUMENT_NAME}`,
    reason,
  }))
}

/** Prerequisites may be challenges of the same archive. */
async function prerequisiteProblems(
  db: Queries,
  challenges: readonly PlannedChallenge[],
): Promise<Problem[]> {
  const found = await findPrerequisiteProblems(db, editedPrerequisites(challenges))
  return challenges.flatMap(({ folder, value }) => {
    const reason = found.get(value.id)
    return reason === undefined
      ? []
      : [{ path: `${folder}/${DOCUMENT_NAME}`, reason: `prerequisites: ${reason}` }]
  })
}

/** The prerequisites of each challenge of an archive after the import; undefined where they stay. */
export function editedPrerequisites(
  challenges: readonly PlannedChallenge[],
): ReadonlyMap<string, readonly string[] | undefined> {
  return new Map(
    challenges.map(({ value, fields }) => [
      value.id,
      fields.includes('prerequisites') ? value.prerequisites : undefined,
    ]),
  )
}

/** A folder has the values of a flag beside its kind. */
function plain(problem: string): string {
  return problem.replace(/^config\.?/, '')
}

async function scoringProblems(
  db: Queries,
  { value, stored }: Pick<PlannedChallenge, 'value' | 'stored'>,
): Promise<string[]> {
  const { id, scoring } = value
  if (!scoring) return []
  const hasSecret = scoring.secret !== undefined || stored?.scoringKind === 'dynamic'
  if (scoring.kind === 'dynamic' && !hasSecret) return ['scoring.secret: is missing; the challenge has none']
  if (!stored || !isKindFixed(stored.scoringKind, scoring.kind)) return []
  const count = await countSolves(db, id)
  const change = `${stored.scoringKind}->${scoring.kind}`
  return count > 0 ? [`scoring.kind: ${change} blocked, ${count} solves exist`] : []
}
