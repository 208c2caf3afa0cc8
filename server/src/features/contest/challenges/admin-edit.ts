import { isDeepStrictEqual } from 'node:util'
import {
  badAdminBotConfig,
  badInstancerConfig,
  type putChallengeV2,
} from '@pennant/contract/admin-challenges.ts'
import type { badBody } from '@pennant/contract/replies.ts'
import type { BodyOf } from '@pennant/contract/route.ts'
import type { Database } from '../../../db/database.ts'
import { refuse } from '../../../http/request/validate.ts'
import { UnavailableError } from '../../../lib/errors.ts'
import type { ChallengeRow, FlagEntry } from '../../../world/model.ts'
import { mergeInstancer } from './admin-rules.ts'
import { editChallenge, findInstancerConfig, type Edit, type Editor } from './admin-store.ts'
import type { ChallengePatch } from './challenge-patch.ts'
import { checkBot, checkFlags, checkInstancer, type EditChecks } from './edit-checks.ts'

type Json = Readonly<Record<string, unknown>>

export interface EditDeps extends EditChecks {
  readonly db: Database
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
    if ('problem' in edited) {
      const { field, reason } = edited.problem
      return { refused: refuse('body', `data.${field}`, reason) }
    }
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
  const { files, releaseTime, scoring, ...rest } = data
  return {
    ...rest,
    flags,
    files: files?.map(({ name, url, size }) => ({ name, url, size: size ?? null })),
    releaseAt: releaseTime,
    scoring: scoring && {
      kind: scoring.kind,
      secret: scoring.kind === 'dynamic' ? scoring.source?.secret : undefined,
    },
    adminBotConfig,
  }
}

async function flagsOf(deps: EditDeps, data: Data): Promise<Result<readonly FlagEntry[] | undefined>> {
  if (data.flag !== undefined) {
    if (data.flags) return { refused: refuse('body', 'data.flag', 'cannot be combined with flags') }
    // The single flag of the old API replaces the whole list.
    if (data.flag === '') return { value: [] }
    const entry = { provider: 'flags/static', config: { flag: data.flag } }
    const checked = await deps.flags.check(entry)
    if ('problem' in checked) return { refused: refuse('body', 'data.flag', checked.problem) }
    return { value: [entry] }
  }
  if (!data.flags) return { value: undefined }
  const { entries, problems } = await checkFlags(deps, data.flags)
  const [first] = problems
  return first ? { refused: refuse('body', `data.flags.${first.index}`, first.problem) } : { value: entries }
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
  const merged = mergeInstancer(await findInstancerConfig(deps.db, id), given)
  const error = await checkInstancer(deps, merged)
  if (error !== null) return { refused: badInstancerConfig({ error }) }
  return {
    value: (stored) => (isDeepStrictEqual(mergeInstancer(stored, given), merged) ? { value: merged } : null),
  }
}

async function botOf(
  deps: EditDeps,
  given: Data['adminBotConfig'],
): Promise<Result<Json | null | undefined>> {
  if (!given) return { value: given }
  const checked = await checkBot(deps, given.code)
  return 'error' in checked ? { refused: badAdminBotConfig({ error: checked.error }) } : checked
}
