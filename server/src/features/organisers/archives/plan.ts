import { createHash } from 'node:crypto'
import type { ArchiveField } from '@pennant/contract/challenge-archive.ts'
import { hintLimits } from '@pennant/contract/hints.ts'
import { waveLimits } from '@pennant/contract/waves.ts'
import sql from 'sql-template-tag'
import type { Database, Queries } from '../../../db/database.ts'
import type { HintRow } from '../../contest/hints/rows.ts'
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
import { matchHints } from '../../contest/hints/replace.ts'
import { contentOf } from '../../contest/hints/rules.ts'
import { countPurchases, findHints } from '../../contest/hints/store.ts'
import { changedFields, withDefaults, type HashOf } from './compare.ts'
import type { ReadChallenge } from './read-folders.ts'
import { waveNames } from './stored-value.ts'
import type { ChallengeValue, Problem } from './value.ts'
import { DOCUMENT_NAME } from './write-folders.ts'

type Json = Readonly<Record<string, unknown>>

export interface PlannedChallenge {
  readonly folder: string
  /** With the defaults of a new challenge, if it is one. */
  readonly value: ChallengeValue
  readonly stored: ChallengeRow | null
  /** The hints that it has. */
  readonly storedHints: readonly HintRow[]
  /** Empty if nothing changes. */
  readonly fields: readonly ArchiveField[]
  /** Instancer settings with their defaults, if they change. */
  readonly instancerConfig?: Json | null
  /** The settings that the code of the admin bot leads to, if it changes. */
  readonly adminBotConfig?: Json | null
  /** The wave that it joins; null if it leaves one. */
  readonly waveId?: string | null | undefined
}

export interface ChallengePlan {
  /** Identifies the content and the stored versions that it was compared with. */
  readonly id: string
  readonly challenges: readonly PlannedChallenge[]
  readonly problems: readonly Problem[]
}

export interface PlanDeps extends EditChecks {
  readonly db: Database
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
  const waves = await readOpenWaves(deps.db)
  const hints = await findHints(deps.db, ids)
  const contents = new Map(Array.from(hints, ([id, rows]) => [id, rows.map(contentOf)]))
  const lookups = { hashOf: input.hashOf, waves: waveNames(waves), hints: contents }
  const challenges: PlannedChallenge[] = []
  const problems: Problem[] = []
  for (const read of input.challenges) {
    const row = stored.get(read.value.id) ?? null
    const value = row ? read.value : withDefaults(read.value)
    const fields = changedFields(value, row, lookups)
    const storedHints = hints.get(read.value.id) ?? []
    const planned = { folder: read.folder, value, stored: row, storedHints, fields }
    const checked = await check({ ...deps, waves }, planned)
    challenges.push(checked.planned)
    const path = `${read.folder}/${DOCUMENT_NAME}`
    problems.push(...checked.problems.map((reason) => ({ path, reason })))
  }
  problems.push(
    ...(await prerequisiteProblems(deps.db, challenges)),
    ...(await hintProblems(deps.db, challenges)),
  )
  const versions = ids.map((id) => {
    const row = stored.get(id)
    return [
      id,
      row?.n ?? null,
      row?.version ?? null,
      hints.get(id)?.map((hint) => [hint.id, hint.version]) ?? [],
    ]
  })
  const id = createHash('sha256')
    .update(JSON.stringify([input.sha256, versions]))
    .digest('hex')
  return { id, challenges, problems }
}

/** Only checks what changes, so that an archive can always be imported where it was exported. */
async function check(deps: PlanDeps & { readonly waves: OpenWave[] }, planned: PlannedChallenge) {
  const { value, stored, fields } = planned
  const problems: string[] = []
  if (fields.includes('flags')) {
    const checked = await checkFlags(deps, value.flags ?? [])
    for (const { index, problem } of checked.problems) problems.push(`flags.${index}: ${plain(problem)}`)
  }
  if (fields.includes('scoring')) problems.push(...(await scoringProblems(deps.db, { value, stored })))
  const joined = joinWave(deps.waves, planned)
  problems.push(...joined.problems)
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
  return { planned: { ...planned, ...settings, waveId: joined.waveId }, problems }
}

interface OpenWave {
  readonly id: string
  readonly name: string
  /** How many challenges it has, those of the archive that join it included. */
  count: number
}

async function readOpenWaves(db: Queries): Promise<OpenWave[]> {
  return await db.query<OpenWave>(sql`
    select id, name, (select count(*) from challenges where wave_id = waves.id) as count from waves`)
}

function joinWave(
  waves: readonly OpenWave[],
  { value, stored, fields }: PlannedChallenge,
): { readonly waveId?: string | null; readonly problems: string[] } {
  const name = value.wave
  const isInWave = name === undefined ? Boolean(stored?.waveId) : name !== null
  const problems =
    isInWave && fields.includes('releaseTime')
      ? ['releaseTime: is the time of the wave; leave it out, and move the wave to change it']
      : []
  if (name === undefined || !fields.includes('wave')) return { problems }
  if (name === null) return { waveId: null, problems }
  const wave = waves.find((each) => each.name === name)
  // A misspelt name must not create a wave without a time, which would hide the challenge.
  if (!wave) return { problems: [...problems, `wave: there is no wave named ${name}; create it first`] }
  wave.count += 1
  if (wave.count <= waveLimits.challenges) return { waveId: wave.id, problems }
  return {
    problems: [...problems, `wave: ${name} cannot have more than ${waveLimits.challenges} challenges`],
  }
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

/** What teams bought is neither deleted nor replaced by another hint by accident. */
async function hintProblems(db: Queries, challenges: readonly PlannedChallenge[]): Promise<Problem[]> {
  const changed = challenges.filter(({ fields }) => fields.includes('hints'))
  const ids = changed.flatMap(({ storedHints }) => storedHints.map(({ id }) => id))
  const purchases = await countPurchases(db, ids)
  let added = 0
  const problems = changed.flatMap(({ folder, value, storedHints }): Problem[] => {
    const { hints = [] } = value
    const { unclear } = matchHints(storedHints, hints, (id) => purchases.has(id))
    added += hints.length - storedHints.length
    const path = `${folder}/${DOCUMENT_NAME}`
    return unclear === null ? [] : [{ path, reason: `hints: ${unclearHint(unclear)}` }]
  })
  if (added <= 0) return problems
  const [all] = await db.query<{ count: number }>(sql`select count(*) as count from hints`)
  if ((all?.count ?? 0) + added <= hintLimits.stored) return problems
  return [...problems, { path: '', reason: `all challenges would have more than ${hintLimits.stored} hints` }]
}

function unclearHint(number: number): string {
  return `teams bought hint ${number} of the site, whose text is missing here; keep it, or delete it on the site, with a refund`
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
