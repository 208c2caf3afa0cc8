import { LAST_WAVE_TIME } from '@pennant/contract/waves.ts'
import type { AdminBotChecks } from '../../../features/contest/challenges/edit-checks.ts'
import type { Flags } from '../../../providers/flags/flags.ts'
import { CHECK_TEAM_ID } from '../../../features/engines/instances/owners.ts'
import type { ChallengeRow, WorldView } from '../../../world/model.ts'
import { adminBotChecks } from '../admin-bot.ts'
import { challengeChecks, TRY_FLAGS } from '../challenges.ts'
import {
  failure,
  named,
  ok,
  runChecks,
  unchecked,
  warning,
  type Check,
  type Diagnosis,
  type Subject,
} from '../check.ts'
import { instanceChecks } from '../instances.ts'
import { uploadChecks } from '../uploads.ts'

// What is checked of a single challenge before its release.

export interface ChallengeCheckDeps {
  readonly world: () => WorldView
  readonly subject: Subject
  readonly flags: Flags
  /** Null if no admin bot is configured. */
  readonly adminBot: AdminBotChecks | null
}

/** Checks one challenge. Everything that it starts is stopped, or ends soon after the process was killed. */
export async function checkChallenge(
  deps: ChallengeCheckDeps,
  challenge: ChallengeRow,
  stop: AbortSignal,
): Promise<Diagnosis[]> {
  const { subject, world } = deps
  const scoped = { ...subject, challengeId: challenge.id, withInstances: true, withBot: true }
  const checks = [
    { name: 'wave-visibility', run: () => checkVisibility(challenge) },
    ...(challenge.prerequisites?.length
      ? [{ name: 'wave-prerequisites', run: () => checkPrerequisites(world(), challenge) }]
      : []),
    ...(challenge.flags.length > 0 ? [{ name: 'flag-values', run: () => checkValues(deps, challenge) }] : []),
    ...(challenge.adminBotConfig ? [{ name: 'admin-bot-code', run: () => checkCode(deps, challenge) }] : []),
    ...sharedChecks(challenge),
  ]
  return await runChecks(
    checks.map((check) => stoppable(check, stop)),
    scoped,
  )
}

function stoppable(check: Check, stop: AbortSignal): Check {
  return {
    ...check,
    run: (subject, signal) => {
      if (stop.aborted) return unchecked('The server is being stopped.')
      return check.run(subject, AbortSignal.any([signal, stop]))
    },
  }
}

const SHARED: readonly Check[] = [...challengeChecks, ...uploadChecks, ...instanceChecks, ...adminBotChecks]

/** Those of `pennant doctor` that concern this challenge. */
function sharedChecks({ flags, files, scoringKind, instancerConfig, adminBotConfig }: ChallengeRow): Check[] {
  const isDynamic = scoringKind === 'dynamic'
  const wanted = new Set([
    'challenge-flags',
    ...(flags.length > 0 && !isDynamic ? ['flag-trials'] : []),
    ...(flags.length > 0 ? ['flag-secrets'] : []),
    ...(isDynamic ? ['scoring-secrets'] : []),
    ...(files.length > 0 ? ['challenge-files'] : []),
    ...(instancerConfig ? ['instance-start'] : []),
    ...(adminBotConfig ? ['admin-bot-visit'] : []),
  ])
  return SHARED.filter(({ name }) => wanted.has(name))
}

function checkVisibility({ hidden }: ChallengeRow) {
  return hidden
    ? warning('It is hidden, so the wave does not release it.', 'Make it visible in its editor.')
    : ok()
}

/** A challenge that requires one which opens later stays closed until then. */
function checkPrerequisites(world: WorldView, { prerequisites = [], releaseAt }: ChallengeRow) {
  const late = prerequisites.flatMap((id) => {
    const other = world.challenge(id)
    const isLater = (other?.releaseAt ?? 0) > (releaseAt ?? 0) || (other?.releaseAt ?? 0) > LAST_WAVE_TIME
    return !other || other.hidden || isLater ? [other?.name ?? id] : []
  })
  return late.length === 0
    ? ok()
    : warning(
        `No team can open it yet: ${named(late)} is hidden or released later.`,
        'Release the prerequisites first, or remove them.',
      )
}

/** Submits each configured flag to its own provider. */
async function checkValues({ flags }: ChallengeCheckDeps, { id: challengeId, flags: entries }: ChallengeRow) {
  const untested: string[] = []
  for (const [index, entry] of entries.entries()) {
    const name = `flag ${index + 1} (${entry.provider})`
    const checked = await flags.check(entry)
    if ('problem' in checked)
      return failure(
        `${name} is not accepted: ${checked.problem}`,
        'Correct it in the editor of the challenge.',
      )
    const text = entry.config['flag'] ?? entry.config['flagValue']
    if (typeof text !== 'string') {
      untested.push(name)
      continue
    }
    if (!(await flags.findMatch([entry], { challengeId, teamId: CHECK_TEAM_ID, text })))
      return failure(`${name} does not accept its own value.`, 'Correct it in the editor of the challenge.')
  }
  return untested.length === 0
    ? ok()
    : unchecked(`These are valid, but have no value to submit: ${named(untested)}.`, TRY_FLAGS)
}

/** Whether the worker still accepts the stored code. */
async function checkCode({ adminBot }: ChallengeCheckDeps, { adminBotConfig }: ChallengeRow) {
  if (!adminBot) return failure('No admin bot is configured.', 'Set `adminBot`, or remove the code.')
  const code = adminBotConfig?.['code']
  const derived = await adminBot.derive(typeof code === 'string' ? code : '')
  return 'error' in derived
    ? failure(
        `The worker refuses the code: ${derived.error}`,
        'Correct the code in the editor of the challenge.',
      )
    : ok()
}
