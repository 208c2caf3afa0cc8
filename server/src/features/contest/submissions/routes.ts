import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { ResponsesOf } from '@pennant/contract/route.ts'
import { badChallenge, badEnded, badPerms, badUnknownUser } from '@pennant/contract/replies.ts'
import { badAlreadySolvedChallenge, badFlag, goodFlag, submitFlag } from '@pennant/contract/submissions.ts'
import type { IncomingBody } from '../../../http/request/body.ts'
import { actingOf, on, type Actor, type Call, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { orderedId } from '../../../lib/uuid.ts'
import type { Flags } from '../../../providers/flags/flags.ts'
import type { SolvePair, WorldView } from '../../../world/model.ts'
import { createRecorder, type RecorderDeps } from './recorder.ts'
import { auditDetails, findSolvable } from './rules.ts'
import type { Outcome } from './store.ts'

export interface SubmissionDeps extends RecorderDeps {
  readonly world: () => WorldView
  readonly limiter: Limiter
  readonly now: () => number
  readonly flags: Pick<Flags, 'findMatch'>
  /** Replaces what a team submitted in vain; absent: stored as it is. */
  readonly wrongFlagText?: string | undefined
  /** Whether a running instance of the team still has the flag, which an organiser may have changed since it started. */
  readonly isFlagOfInstance: (submitted: SolvePair & { readonly flag: string }) => Promise<boolean>
}

const responses: Readonly<Record<Outcome, () => ResponsesOf<typeof submitFlag>>> = {
  correct: goodFlag,
  already_solved: badAlreadySolvedChallenge,
  incorrect: badFlag,
  banned: badPerms,
  no_team: badUnknownUser,
  no_challenge: badChallenge,
}

/** The checks run in the order of docs/reference/challenges.md#submitting-a-flag */
export function submissionRoutes(deps: SubmissionDeps): Endpoint[] {
  const { world, limiter, flags, now, isFlagOfInstance, wrongFlagText } = deps
  const record = createRecorder(deps)
  /** Requests that took their token before their body was read. */
  const charged = new WeakSet<IncomingBody>()
  return [
    on(submitFlag, submit, ({ params: { id = '' }, team, incoming }) => {
      // What the handler refuses for another reason costs no token, and has no bucket.
      if (!team || isBanned(world(), team) || !findSolvable(world(), id, team)) return null
      charged.add(incoming)
      return limiter.take('flagSubmissions', `${team.id}:${id}`)
    }),
  ]

  async function submit(call: Call<typeof submitFlag>) {
    const { params, body, team, ip, incoming } = call
    const { id } = params
    const { flag: text } = body
    const view = world()
    // Admins may submit after the end. Their solves are dated accordingly.
    const notAfter = hasPermissions(team.perms, ['challsWrite']) ? null : view.endTime
    // The gate was checked before the body was read. The event may have ended since.
    if (notAfter !== null && now() >= notAfter) return badEnded()
    // The commit checks this again, because a team may have been created or banned in another process.
    if (isBanned(view, team)) return badPerms()
    const challenge = findSolvable(view, id, team)
    if (!challenge) return badChallenge()
    // It was released while the body was on its way.
    const limited = charged.has(incoming) ? null : await limiter.take('flagSubmissions', `${team.id}:${id}`)
    if (limited) return limited
    const match = await flags.findMatch(challenge.flags, { challengeId: id, teamId: team.id, text })
    // The flags may have changed while the instance runs.
    const isEarlier =
      !match &&
      challenge.instancerConfig !== null &&
      (await isFlagOfInstance({ teamId: team.id, challengeId: id, flag: text }))
    const outcome = await record({
      id: orderedId(),
      solveId: match || isEarlier ? orderedId() : null,
      challengeId: id,
      teamId: team.id,
      ip,
      ...actingOf(team),
      notAfter,
      details: {
        ...auditDetails(match ? text : (wrongFlagText ?? text), match),
        ...(isEarlier && { matchedFlagProvider: 'instance' }),
      },
    })
    return responses[outcome]()
  }
}

function isBanned(view: WorldView, team: Actor): boolean {
  return view.team(team.id)?.banned ?? team.banned
}
