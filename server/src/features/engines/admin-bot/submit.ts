import type { Acting } from '../../../lib/acting-person.ts'
import {
  badInstancerState,
  goodAdminBotJobSubmitted,
  type submitAdminBotJob,
} from '@pennant/contract/admin-bot.ts'
import { badAdminBotConfig } from '@pennant/contract/admin-challenges.ts'
import { badChallenge, badToken } from '@pennant/contract/replies.ts'
import type { ResponsesOf } from '@pennant/contract/route.ts'
import type { Database } from '../../../db/database.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import type { RegexTester } from '../../../lib/regex.ts'
import { orderedId } from '../../../lib/uuid.ts'
import type { Flags } from '../../../providers/flags/flags.ts'
import type { Instancers } from '../../../providers/instancer/registry.ts'
import type { Challenge } from '../../../world/model.ts'
import type { Report } from '../../../db/report.ts'
import { checkInstance } from './instance-check.ts'
import { configuredInputs, findWrongInput } from './rules.ts'
import { botSettings } from './settings.ts'
import { addJob, findActiveJob, recordRefusal, type RefusedSubmission } from './store.ts'

export interface SubmitDeps {
  readonly db: Database
  readonly limiter: Limiter
  readonly regex: Pick<RegexTester, 'test'>
  readonly flags: Pick<Flags, 'flagsForTeam'>
  readonly instancers: Instancers | null
  readonly now: () => number
  readonly onJobChange: Report
}

export interface BotSubmission {
  /** Who of the team it was. */
  readonly by: Acting
  readonly challenge: Challenge
  readonly teamId: string
  readonly ip: string
  readonly inputs: Readonly<Record<string, string>>
}

const ACTIVE = 'The team has a job on this challenge already. Wait for its end.'

/** The checks run in the order of docs/reference/admin-bot.md#submitting-a-job */
export async function submitJob(
  deps: SubmitDeps,
  { challenge, teamId, ip, by, inputs: given }: BotSubmission,
): Promise<ResponsesOf<typeof submitAdminBotJob>> {
  const { db } = deps
  const settings = botSettings(challenge)
  if (!settings) return badAdminBotConfig({ error: 'This challenge has no admin bot.' })
  const owner = { teamId, challengeId: challenge.id }
  const { revision: configRevision, timeoutMilliseconds: timeoutMs } = settings
  const inputs = configuredInputs(settings, given)
  const note = (result: RefusedSubmission['result'], problem: object = {}) =>
    recordRefusal(db, {
      ...owner,
      id: orderedId(),
      ip,
      by,
      result,
      details: { inputs, configRevision, ...problem },
    })

  // Before a token of the rate limit is taken, so that the team can start the instance and submit at once.
  const { instancers } = deps
  const instance = await checkInstance({ instancers, challenge, settings, teamId })
  if ('problem' in instance) {
    await note('bad_instancer_state', instance.problem)
    return badInstancerState({ error: instance.problem.error })
  }
  const limited = await deps.limiter.take('botJobs', `${teamId}:${challenge.id}`)
  if (limited) return limited
  const wrong = await findWrongInput(settings, given, deps.regex)
  if (wrong) {
    await note('invalid_input', wrong)
    return badAdminBotConfig({ error: wrong.error })
  }
  if (await findActiveJob(db, owner)) {
    await note('active_job')
    return badAdminBotConfig({ error: ACTIVE })
  }
  const flags = await deps.flags.flagsForTeam(challenge, teamId)
  const ids = { id: orderedId(), submissionId: orderedId() }
  const job = { ...owner, ...ids, ip, by, configRevision, inputs, flags, timeoutMs, at: deps.now() }
  switch (await addJob(db, { ...job, instancerInstances: instance.endpoints })) {
    case 'queued':
      await deps.onJobChange(owner)
      return goodAdminBotJobSubmitted({ jobId: ids.id })
    case 'active_job':
      return badAdminBotConfig({ error: ACTIVE })
    case 'no_challenge':
      return badChallenge()
    case 'no_team':
      return badToken()
  }
}
