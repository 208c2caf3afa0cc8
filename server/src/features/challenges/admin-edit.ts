import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  badAdminBotConfig,
  badInstancerConfig,
  type putChallengeV2,
} from '@pennant/contract/admin-challenges.ts'
import type { badBody } from '@pennant/contract/replies.ts'
import type { BodyOf } from '@pennant/contract/route.ts'
import type { Database } from '../../db/database.ts'
import { refuse } from '../../http/validate.ts'
import { UnavailableError } from '../../lib/errors.ts'
import type { Flags } from '../../providers/flags/flags.ts'
import type { ChallengeRow, FlagEntry } from '../../world/model.ts'
import { mergeInstancer } from './admin-rules.ts'
import {
  editChallenge,
  findInstancerConfig,
  type ChallengePatch,
  type Edit,
  type Editor,
} from './admin-store.ts'

type Json = Readonly<Record<string, unknown>>
type Checked<T> = { readonly value: T } | { readonly error: string }

/** The parts of the configured instancers that an edit needs. */
export interface InstancerChecks {
  /** Returns the error in the settings, or null. Without a name, the default instancer checks them. */
  problemOf(config: Json, instancer?: string): string | null | Promise<string | null>
}

export interface DerivedBot {
  readonly inputs: Readonly<Record<string, { readonly pattern: string; readonly flags?: string }>>
  readonly timeoutMilliseconds: number
  readonly requireInstancerInstancesRunning: boolean
}

/** The parts of the configured admin bot that an edit needs. */
export interface AdminBotChecks {
  /** Compiles an author's code. An unreachable worker is reported as an error text as well. */
  derive(code: string): Promise<Checked<DerivedBot>>
}

export interface EditDeps {
  readonly db: Database
  readonly flags: Pick<Flags, 'check'>
  /** Null if no instancer is configured. */
  readonly instancers: InstancerChecks | null
  readonly adminBot: AdminBotChecks | null
}

type Data = BodyOf<typeof putChallengeV2>['data']
type Refusal = ReturnType<typeof badBody | typeof badInstancerConfig | typeof badAdminBotConfig>
type Result<T> = { readonly value: T } | { readonly refused: Refusal }

/**
 * The settings can change between the check and the lock. After this many conflicts in a row the client must
 * retry.
 */
const MAX_TRIES = 5

/** Decides in the order of docs/reference/administration.md#order-of-decisions-when-saving */
export async function saveChallenge(
  deps: EditDeps,
  { id, data, editor }: { readonly id: string; readonly data: Data; readonly editor: Editor },
): Promise<{ readonly row: ChallengeRow } | { readonly refused: Refusal }> {
  const flags = await flagsOf(deps, data)
  if ('refused' in flags) return flags
  // External services are called before the lock is taken, because the lock blocks all other changes.
  let bot: Result<Json | null | undefined> | null = null
  for (let count = 0; count < MAX_TRIES; count++) {
    const instancer = await instancerOf(deps, id, data.instancerConfig)
    if ('refused' in instancer) return instancer
    bot ??= await botOf(deps, data.adminBotConfig)
    if ('refused' in bot) return bot
    const patch = patchOf(data, flags.value, bot.value)
    const edited = await editChallenge(deps.db, { id, patch, instancerConfig: instancer.value, editor })
    if (edited === 'stale') continue
    if ('row' in edited) return edited
    const change = `${edited.from}->${data.scoring?.kind}`
    return {
      refused: refuse('body', 'data.scoring.kind', `${change} blocked, ${edited.fixedBy} solves exist`),
    }
  }
  throw new UnavailableError('a challenge was edited concurrently too many times')
}

function patchOf(
  data: Data,
  flags: ChallengePatch['flags'],
  adminBotConfig: Json | null | undefined,
): ChallengePatch {
  const { name, category, author, description, points, tiebreakEligible, sortWeight, hidden, tags } = data
  const { scoring } = data
  return {
    name,
    category,
    author,
    description,
    flags,
    points,
    tiebreakEligible,
    files: data.files?.map(({ name: file, url, size }) => ({ name: file, url, size: size ?? null })),
    sortWeight,
    hidden,
    releaseAt: data.releaseTime,
    scoring: scoring && {
      kind: scoring.kind,
      secret: scoring.kind === 'dynamic' ? scoring.source.secret : null,
    },
    adminBotConfig,
    tags,
  }
}

async function flagsOf({ flags }: EditDeps, data: Data): Promise<Result<readonly FlagEntry[] | undefined>> {
  if (data.flag !== undefined) {
    if (data.flags) return { refused: refuse('body', 'data.flag', 'cannot be combined with flags') }
    // The single flag of the old API replaces the whole list.
    return { value: data.flag === '' ? [] : [{ provider: 'flags/static', config: { flag: data.flag } }] }
  }
  if (!data.flags) return { value: undefined }
  const entries: FlagEntry[] = []
  for (const [index, entry] of data.flags.entries()) {
    const checked = await flags.check(entry)
    if ('problem' in checked) return { refused: refuse('body', `data.flags.${index}`, checked.problem) }
    entries.push(checked.entry)
  }
  return { value: entries }
}

/**
 * Returns a function that computes the new settings. It returns null if the stored settings changed since the
 * check.
 */
async function instancerOf(
  deps: EditDeps,
  id: string,
  given: Data['instancerConfig'],
): Promise<Result<Edit['instancerConfig']>> {
  if (given === undefined) return { value: undefined }
  if (given === null) return { value: () => ({ value: null }) }
  const { instancers } = deps
  if (!instancers) return { refused: badInstancerConfig({ error: 'No instancer is configured.' }) }
  const merged = mergeInstancer(await findInstancerConfig(deps.db, id), given)
  const error = await instancers.problemOf(merged.config, merged.instancer)
  if (error !== null) return { refused: badInstancerConfig({ error }) }
  return {
    value: (stored) => (isDeepStrictEqual(mergeInstancer(stored, given), merged) ? { value: merged } : null),
  }
}

async function botOf(
  { adminBot }: EditDeps,
  given: Data['adminBotConfig'],
): Promise<Result<Json | null | undefined>> {
  if (!given) return { value: given }
  if (!adminBot) return { refused: badAdminBotConfig({ error: 'No admin bot is configured.' }) }
  const { code } = given
  const derived = await adminBot.derive(code)
  if ('error' in derived) return { refused: badAdminBotConfig({ error: derived.error }) }
  const { inputs, timeoutMilliseconds, requireInstancerInstancesRunning } = derived.value
  const revision = createHash('sha256').update(code).digest('hex')
  return { value: { code, inputs, revision, timeoutMilliseconds, requireInstancerInstancesRunning } }
}
