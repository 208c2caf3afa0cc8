import * as replies from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/teams.ts'
import type { Database } from '../../db/database.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import { refuse } from '../../http/validate.ts'
import type { BucketSize, Buckets } from '../../lib/key-value.ts'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import type { WorldView } from '../../world/model.ts'
import { orCollision } from './collision.ts'
import type { Divisions } from './divisions.ts'
import { memberRoutes } from './member-routes.ts'
import { recordOf } from './profile.ts'
import type { OwnWrites } from './own-writes.ts'
import { changesAnything, patchTeam, type OwnTeam, type ProfilePatch } from './store.ts'
import * as views from './views.ts'

export interface TeamDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly tokens: { issueTeam(teamId: string): string }
  readonly buckets: Buckets
  readonly ownWrites: OwnWrites
  readonly now: () => number
  readonly divisions: Divisions
  readonly score: ScoreFormula
  /** Whether teams keep a list of members. */
  readonly userMembers: boolean
  readonly maxMembers: number
}

/** Specification, "Limits": profile name update rate, per team. */
const NAME_BUCKET: BucketSize = { burst: 3, windowMs: 180_000 }

export function teamRoutes(deps: TeamDeps): Endpoint[] {
  return [
    on(contract.readProfileV1, ({ params }) => {
      const found = findPublic(deps, params.id)
      return found ? contract.goodUserDataV1(views.profileV1(...found)) : replies.badUnknownUser()
    }),

    on(contract.readProfileV2, ({ params }) => {
      const found = findPublic(deps, params.id)
      return found ? contract.goodUserDataV2(views.profileV2(...found)) : replies.badUnknownUser()
    }),

    on(contract.readOwnProfileV1, ({ team }) => {
      const found = findOwn(deps, team.id)
      return found ? contract.goodUserSelfDataV1(views.ownProfileV1(...found)) : replies.badToken()
    }),

    on(contract.readOwnProfileV2, ({ team }) => {
      const found = findOwn(deps, team.id)
      return found ? contract.goodUserSelfDataV2(views.ownProfileV2(...found)) : replies.badToken()
    }),

    on(contract.updateProfileV1, async ({ team, body }) => {
      const outcome = await updateProfile(deps, team.id, body)
      if (outcome === 'ended') return refuse('body', 'division', 'is fixed after the end')
      return 'reply' in outcome ? outcome : contract.goodUserUpdateV1({ user: views.updatedV1(outcome) })
    }),

    on(contract.updateProfileV2, async ({ team, body }) => {
      const outcome = await updateProfile(deps, team.id, body)
      if (outcome === 'ended') return contract.badDivisionChangeEnded()
      return 'reply' in outcome ? outcome : contract.goodUserUpdateV2({ user: views.updatedV2(outcome) })
    }),

    ...memberRoutes(deps),
  ]
}

/** A banned team has no public profile, for anyone. */
function findPublic({ world, score }: TeamDeps, id: string) {
  const team = world().team(id)
  return team && !team.banned ? ([team, recordOf({ world: world(), score }, team)] as const) : null
}

function findOwn({ world, score, tokens, divisions }: TeamDeps, id: string) {
  const team = world().team(id)
  if (!team) return null
  const extras = { teamToken: tokens.issueTeam(id), allowedDivisions: divisions.allowedFor(team.email) }
  return [team, recordOf({ world: world(), score }, team), extras] as const
}

/** The order of checks is the contract's (participant 10.3). */
async function updateProfile(deps: TeamDeps, id: string, patch: ProfilePatch) {
  const { db, world, buckets, now, divisions, ownWrites } = deps
  const team = world().team(id)
  if (!team) return replies.badToken()
  const { name, division } = patch
  if (division !== undefined && !divisions.isAllowed(team.email, division)) {
    return contract.badDivisionNotAllowed()
  }
  if (name !== undefined) {
    const timeLeft = await buckets.take(`profile-name:${id}`, NAME_BUCKET)
    if (timeLeft > 0) return replies.badRateLimit({ timeLeft })
  }
  if (division !== undefined && division !== team.division && now() >= world().endTime) return 'ended'
  if (!changesAnything(team, patch)) return team satisfies OwnTeam
  const refusal = ownWrites.refusal(id)
  if (refusal) return refusal
  const write = () => patchTeam(db, { id, patch, isAllowed: divisions.isAllowed })
  const outcome = await orCollision(ownWrites.run(id, write))
  if ('collision' in outcome) return replies.badKnownName()
  if ('team' in outcome) return outcome.team satisfies OwnTeam
  return outcome.refused === 'gone' ? replies.badToken() : contract.badDivisionNotAllowed()
}
