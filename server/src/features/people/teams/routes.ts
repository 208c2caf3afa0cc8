import * as replies from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/teams.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { preparedCache } from '../../../http/response/prepared-cache.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import { splice } from '../../../http/response/splice.ts'
import { refuse } from '../../../http/request/validate.ts'
import type { ScoreFormula } from '../../../lib/score-formula.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { visibleToAll } from '../../contest/challenges/visible.ts'
import { orCollision } from './collision.ts'
import type { Divisions } from './divisions.ts'
import { memberRoutes } from './member-routes.ts'
import { ownRecordOf, recordOf, type TeamRecord } from './profile.ts'
import type { OwnWrites } from './own-writes.ts'
import { changesAnything, patchTeam, type OwnTeam, type ProfilePatch } from './store.ts'
import * as views from './views.ts'
import { hintRows, purchasesOf } from '../../contest/hints/rows.ts'

export interface TeamDeps {
  readonly db: Database
  readonly world: () => WorldView
  /** As participants see it. `world` only adds the caller's own solves. */
  readonly shown: () => WorldView
  readonly tokens: { issueTeam(teamId: string, notBefore: number): string }
  readonly limiter: Limiter
  readonly ownWrites: OwnWrites
  readonly now: () => number
  readonly divisions: Divisions
  readonly score: ScoreFormula
  /** Whether teams can maintain a list of members. */
  readonly userMembers: boolean
  readonly maxMembers: number
}

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

    on(
      contract.readOwnProfileV1,
      ownProfile(deps, (...found) => prepare(contract.goodUserSelfDataV1(views.ownProfileV1(...found)))),
    ),

    on(
      contract.readOwnProfileV2,
      ownProfile(deps, (...found) => prepare(contract.goodUserSelfDataV2(views.ownProfileV2(...found)))),
    ),

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

/** A banned team has no public profile. */
function findPublic({ shown, score }: TeamDeps, id: string) {
  const { world } = visibleToAll(shown())
  const team = world.team(id)
  return team && !team.banned ? ([team, recordOf({ world, score }, team)] as const) : null
}

/** Profiles of 2 to 14 KB: enough for thousands of pages that poll while nothing is solved. The next solve clears them. */
const OWN_PROFILES = { name: 'own profiles', max: 8192, maxSize: 64 * 1024 * 1024 }
/** Texts within the profile cannot contain it, because their quotes are escaped. */
const TOKEN_FIELD = '"teamToken":"'

/**
 * Returns the handler of an own profile. It is rendered once per version without the token, which is inserted for each request.
 * A client that signed in through external auth gets an empty token, so that it cannot gain the team's full rights.
 */
function ownProfile(
  { world, shown, score, tokens, divisions }: TeamDeps,
  render: (team: TeamRow, record: TeamRecord, extras: views.OwnExtras) => Prepared,
) {
  const profiles = preparedCache(OWN_PROFILES)
  return ({ team: { id, perms, isExternal, tokenIssuedAt } }: { readonly team: Actor }) => {
    const [live, view] = [world(), shown()]
    const team = live.team(id)
    if (!team) return replies.badToken()
    const key = `${id} ${perms} ${isExternal} ${view.teamVersion(id)} ${live.teamVersion(id)}`
    const profile = profiles.get(view.boardKey, key, () => {
      const extras = {
        teamToken: '',
        perms,
        allowedDivisions: divisions.allowedFor(team.email),
        hintChallenges: boughtIn(live, id),
      }
      return render(team, ownRecordOf({ world: view, live, score }, team), extras)
    })
    if (isExternal) return profile
    return splice(profile, TOKEN_FIELD, tokens.issueTeam(id, Math.max(team.tokensValidFrom, tokenIssuedAt)))
  }
}

function boughtIn(world: WorldView, teamId: string): string[] {
  const ids = purchasesOf(world, teamId).flatMap(
    ({ hintId }) => world.rows(hintRows).byId.get(hintId)?.challengeId ?? [],
  )
  return [...new Set(ids)]
}

/** The checks run in the order of docs/reference/teams.md#changing-the-profile */
async function updateProfile(deps: TeamDeps, id: string, patch: ProfilePatch) {
  const { db, world, limiter, now, divisions, ownWrites } = deps
  const team = world().team(id)
  if (!team) return replies.badToken()
  const { name, division } = patch
  if (division !== undefined && !divisions.isAllowed(team.email, division)) {
    return contract.badDivisionNotAllowed()
  }
  if (name !== undefined) {
    const limited = await limiter.take('profileNames', id)
    if (limited) return limited
  }
  if (division !== undefined && division !== team.division && now() >= world().endTime) return 'ended'
  if (!changesAnything(team, patch)) return team satisfies OwnTeam
  const refusal = ownWrites.refusal(id) ?? (await limiter.take('accountChanges', id))
  if (refusal) return refusal
  const write = () => patchTeam(db, { id, patch, isAllowed: divisions.isAllowed })
  const outcome = await orCollision(ownWrites.run(id, write))
  if ('collision' in outcome) return replies.badKnownName()
  if ('team' in outcome) return outcome.team satisfies OwnTeam
  return outcome.refused === 'gone' ? replies.badToken() : contract.badDivisionNotAllowed()
}
