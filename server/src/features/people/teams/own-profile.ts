import * as contract from '@pennant/contract/teams.ts'
import type { ApiResponse } from '@pennant/contract/route.ts'
import { badToken } from '@pennant/contract/replies.ts'
import { LRUCache } from 'lru-cache'
import { ownsCredentials, type Actor } from '../../../http/handler.ts'
import { partOf, type Joined, type Part } from '../../../http/response/joined.ts'
import { envelope } from '../../../http/response/prepared.ts'
import { countLookups } from '../../../lib/cache-counts.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { ScoreFormula } from '../../../lib/score-formula.ts'
import type { Challenge, TeamRow, WorldView } from '../../../world/model.ts'
import { hintRows, purchasesOf } from '../../contest/hints/rows.ts'
import type { Visibility } from '../../contest/visibility/visibility.ts'
import type { Divisions } from './divisions.ts'
import {
  emptyRecord,
  ownSolvesOf,
  profileScores,
  type ProfileScore,
  type ProfileSolve,
  type TeamRecord,
} from './profile.ts'
import * as views from './views.ts'

// The profile that a team sees of itself. Every solve in the contest changes the points of a challenge, and with it the scores of many
// teams, so the whole text is new for each request. It is joined from what changes only with the team, from a part of each challenge that
// all its solvers share, and from the score and the ranks.

export interface OwnProfileDeps {
  readonly world: () => WorldView
  /** As participants see it. `world` only adds the caller's own solves. */
  readonly shown: () => WorldView
  readonly visibility: Visibility
  readonly tokens: { issueTeam(teamId: string, notBefore: number): string }
  readonly divisions: Divisions
  readonly score: ScoreFormula
}

/** One version of the API. */
export interface OwnForm {
  readonly respond: (team: TeamRow, record: TeamRecord, extras: views.OwnExtras) => ApiResponse
  readonly solve: (solve: ProfileSolve) => object
  /** The text of a solve from its time on. */
  readonly rest: (solve: ProfileSolve) => string
  /** The text of each challenge up to the time of the solve. */
  readonly parts: WeakMap<Challenge, Part>
}

export const ownFormV1: OwnForm = {
  respond: (...found) => contract.goodUserSelfDataV1(views.ownProfileV1(...found)),
  solve: views.solveV1,
  rest: ({ createdAt }) => `${createdAt}}`,
  parts: new WeakMap(),
}

export const ownFormV2: OwnForm = {
  respond: (...found) => contract.goodUserSelfDataV2(views.ownProfileV2(...found)),
  solve: views.solveV2,
  rest: ({ createdAt, awardedPoints, bloodIndex }) =>
    `${createdAt},"awardedPoints":${awardedPoints},"bloodIndex":${bloodIndex}}`,
  parts: new WeakMap(),
}

/** What changes only with the team itself, with its solves, newest first. */
interface Own {
  readonly key: string
  /** The texts before the score, after the solves, and after the token. */
  readonly texts: readonly [start: string, middle: string, end: string]
  readonly challengeIds: readonly string[]
  /** The rest of each solve, from its time on, one after the other, and where each ends. */
  readonly rests: Buffer
  readonly ends: Uint32Array
}

// Texts within a profile cannot contain these, because their quotes are escaped.
const RESULTS = '"score":0,"globalPlace":null,"divisionPlace":null,"solves":[]'
const TOKEN = '"teamToken":""'
const CREATED_AT = '"createdAt":'

/** Of about 12,000 teams with 40 solves each. */
const KEPT = { maxSize: 40 * 1024 * 1024 }
/** Of a solve: the id of its challenge and where its text ends. */
const REFERENCE_BYTES = 12
/** A solve as text, and the texts around the solves. */
const SOLVE_BYTES = 256
const OTHER_BYTES = 1024
/** The texts around the solves, in memory. */
const TEXT_BYTES = 640

/**
 * Returns the handler of an own profile. A client that signed in through external auth gets an empty token, so that it cannot gain the
 * team's full rights.
 */
export function ownProfile(deps: OwnProfileDeps, form: OwnForm) {
  const { world, visibility, tokens } = deps
  const kept = new LRUCache<string, Own>(KEPT)
  const countLookup = countLookups('own profiles', Infinity)

  function ownOf(view: WorldView, team: TeamRow, actor: Actor): Own {
    const { id } = team
    const { key, extras } = ownStateOf(deps, actor)
    const known = mayUseCaches() ? kept.get(id) : undefined
    countLookup(known?.key === key)
    if (known?.key === key) return known
    const own = render(deps, form, { key, view, team, extras })
    kept.set(id, own, { size: TEXT_BYTES + own.rests.length + own.challengeIds.length * REFERENCE_BYTES })
    return own
  }

  return ({ team: actor }: { readonly team: Actor }): Joined | ReturnType<typeof badToken> => {
    const { world: view } = visibility.seenBy(actor)
    const team = world().team(actor.id)
    if (!team) return badToken()
    const own = ownOf(view, team, actor)
    const solved = own.challengeIds.map((id) => partOfChallenge(view, form, id))
    const { score, globalRank, divisionRank } = ownStanding(deps, view, team)
    const token =
      !ownsCredentials(actor) || actor.apiToken || team.tokenOff
        ? ''
        : tokens.issueTeam(team.id, Math.max(team.tokensValidFrom, actor.tokenIssuedAt))
    const [start, middle, end] = own.texts
    return {
      kind: 'joined',
      etag: '',
      compression: 'whole',
      expectedBytes: OTHER_BYTES + solved.length * SOLVE_BYTES,
      write(sink) {
        sink.text(start)
        sink.text(`"score":${score},"globalPlace":${globalRank},"divisionPlace":${divisionRank},"solves":[`)
        for (let at = 0; at < solved.length; at += 1) {
          sink.part(solved[at] as Part)
          sink.bytes(own.rests.subarray(own.ends[at - 1] ?? 0, own.ends[at]))
        }
        sink.text(`]${middle}`)
        sink.text(`"teamToken":"${token}"${end}`)
      },
    }
  }
}

type OwnState = Pick<views.OwnExtras, 'perms' | 'hintChallenges'>

/** What changes only with the team itself. Its text is the same as long as `key` is. */
export function ownStateOf(
  { world, visibility }: Pick<OwnProfileDeps, 'world' | 'visibility'>,
  { id, perms, isExternal }: Actor,
): { readonly key: string; readonly extras: OwnState } {
  const [live, view] = [world(), visibility.seenBy({ id, perms }).world]
  const versions = `${view.teamVersion(id)} ${live.teamVersion(id)} ${view.placesKey}`
  const hintChallenges = boughtIn(live, id)
  const key = `${perms} ${isExternal} ${versions} ${hintChallenges.join()}`
  return { key, extras: { perms, hintChallenges } }
}

/** A team always knows its own score. Its ranks are part of the scoreboard. */
export function ownStanding({ shown }: Pick<OwnProfileDeps, 'shown'>, view: WorldView, team: TeamRow) {
  if (team.banned) return emptyRecord
  const { score } = shown().standing(team.id)
  const { globalRank, divisionRank } = view.standing(team.id)
  return { score, globalRank, divisionRank }
}

/** The team's own scores on the dynamic challenges that it may see. */
export function ownScores(
  { shown }: Pick<OwnProfileDeps, 'shown'>,
  view: WorldView,
  { id, banned }: TeamRow,
): ProfileScore[] {
  if (banned) return []
  return profileScores(shown(), id).filter(({ challengeId }) => view.challenge(challengeId)?.isPublic)
}

/** The solve of a challenge up to its time, the same for all teams that solved it. */
function partOfChallenge(view: WorldView, { parts, solve }: OwnForm, id: string): Part {
  const challenge = view.challenge(id)
  if (!challenge) throw new Error(`${id}: a solve of an unknown challenge`)
  const known = mayUseCaches() ? parts.get(challenge) : undefined
  if (known) return known
  const { name, category, points, solveCount } = challenge
  const sample = {
    challengeId: id,
    name,
    category,
    points,
    solves: solveCount,
    createdAt: 0,
    awardedPoints: null,
    bloodIndex: null,
  }
  const [text] = divided(JSON.stringify(solve(sample)), `${CREATED_AT}0`)
  const part = partOf(text + CREATED_AT)
  parts.set(challenge, part)
  return part
}

/** The texts before and after a mark, which is in it. */
export function divided(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`${mark} is missing`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

interface Rendering {
  readonly key: string
  readonly view: WorldView
  readonly team: TeamRow
  readonly extras: OwnState
}

function render(deps: OwnProfileDeps, form: OwnForm, { key, view, team, extras }: Rendering): Own {
  const { score, divisions } = deps
  const live = deps.world()
  const record = { ...emptyRecord, dynamicScores: ownScores(deps, view, team) }
  const all = { ...extras, teamToken: '', allowedDivisions: divisions.allowedFor(team.email) }
  const [start, after] = divided(envelope(form.respond(team, record, all)), RESULTS)
  const [middle, end] = divided(after, TOKEN)
  const solves = ownSolvesOf({ world: view, live, score }, team)
  const rests = solves.map((solve, at) => form.rest(solve) + (at < solves.length - 1 ? ',' : ''))
  let length = 0
  return {
    key,
    texts: [start, middle, end],
    challengeIds: solves.map(({ challengeId }) => challengeId),
    rests: Buffer.from(rests.join('')),
    ends: Uint32Array.from(rests, (rest) => (length += rest.length)),
  }
}

function boughtIn(world: WorldView, teamId: string): string[] {
  const ids = purchasesOf(world, teamId).flatMap(
    ({ hintId }) => world.rows(hintRows).byId.get(hintId)?.challengeId ?? [],
  )
  return [...new Set(ids)]
}
