import { goodChallengesV1, goodChallengesV2 } from '@pennant/contract/challenges.ts'
import {
  envelopeStart,
  etagOf,
  prepare,
  preparedBytes,
  type Prepared,
} from '../../../http/response/prepared.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import { LRUCache } from 'lru-cache'
import type { Challenge, Views, WorldView } from '../../../world/model.ts'
import { ownScores, type OwnScore } from './rules.ts'
import { challengeV1, challengeV2, lockedV2, type Abilities } from './views.ts'
import type { Visible } from './visible.ts'

/** The list without a caller's own fields, and the positions at which to insert them. */
export interface SharedList {
  readonly prepared: Prepared
  readonly challenges: readonly Challenge[]
  /** Offset of the closing brace of each entry in the body. */
  readonly ends: readonly number[]
  /** What a team sees that has solved everything. Null if scores differ from team to team, as those of feeds do. */
  readonly solved: { readonly body: Buffer; readonly ends: readonly number[] } | null
}

export function prepareListV1(world: WorldView): Prepared {
  return prepare(goodChallengesV1(world.publicChallenges().map(challengeV1)))
}

/** Renders the V2 list once for all callers that see the same. Locked challenges come last. */
export function prepareListV2({ world, closed }: Visible, abilities: Abilities): SharedList {
  const open = world.publicChallenges()
  const shownIds = new Set(open.map(({ id }) => id))
  const locked = closed.filter(({ lockedShown }) => lockedShown)
  const challenges = [...open, ...locked]
  for (const { id } of locked) shownIds.add(id)
  const start = `${envelopeStart(goodChallengesV2)}[`
  const entries = [
    ...open.map((challenge) => entryText(challenge, abilities)),
    ...locked.map((challenge) => JSON.stringify(lockedV2(challenge, shownIds))),
  ]
  const hasDynamic = challenges.some(({ scoringKind }) => scoringKind === 'dynamic')
  const withOwn = challenges.map(
    ({ points }, at) => `${entries[at]?.slice(0, -1)}${ownFields({ points, pointDelta: null })}}`,
  )
  return {
    prepared: preparedBytes(Buffer.from(joined(start, entries))),
    challenges,
    ends: endsOf(start, entries),
    solved: hasDynamic ? null : { body: Buffer.from(joined(start, withOwn)), ends: endsOf(start, withOwn) },
  }
}

function joined(start: string, entries: readonly string[]): string {
  return `${start}${entries.join(',')}]}`
}

function endsOf(start: string, entries: readonly string[]): number[] {
  const ends: number[] = []
  let length = Buffer.byteLength(start)
  for (const entry of entries) {
    length += Buffer.byteLength(entry)
    ends.push(length - 1)
    length += 1 // the comma
  }
  return ends
}

/** The text of an entry, which is the same for all that may see it. */
const entryTexts = new WeakMap<Challenge, { readonly abilities: Abilities; readonly text: string }>()

function entryText(challenge: Challenge, abilities: Abilities): string {
  const render = () => JSON.stringify(challengeV2(challenge, abilities))
  if (!mayUseCaches()) return render()
  const known = entryTexts.get(challenge)
  if (known?.abilities === abilities) return known.text
  const text = render()
  entryTexts.set(challenge, { abilities, text })
  return text
}

/** Lists for callers that do not see all challenges; those with the same open ones share a list. */
const MAX_LIMITED_LISTS = 64

/** Keeps the lists of one state. */
export function createLimitedLists(render: (visible: Visible) => SharedList) {
  const lists = new LRUCache<string, SharedList>({ max: MAX_LIMITED_LISTS })
  let current: string | null = null
  return {
    of(state: string, visible: Visible): SharedList {
      if (!mayUseCaches()) return render(visible)
      if (state !== current) lists.clear()
      current = state
      const known = lists.get(visible.key)
      if (known) return known
      const list = render(visible)
      lists.set(visible.key, list)
      return list
    },
  }
}

/** The list with the caller's own scores inserted. Without any, the shared list itself. */
export function personalList(list: SharedList, views: Views, teamId: string): Prepared {
  if (list.solved) return listOfSolves(list, list.solved, ({ id }) => views.live.hasSolved(id, teamId))
  const scores = ownScores(views, teamId, list.challenges)
  if (scores.size === 0) return list.prepared
  const own = list.challenges.map(({ id }) => ownFields(scores.get(id)))
  const shared = list.prepared.body
  const body = Buffer.allocUnsafe(own.reduce((length, fields) => length + fields.length, shared.length))
  let from = 0
  let at = 0
  for (const [index, fields] of own.entries()) {
    if (fields === '') continue
    const end = list.ends[index] ?? from
    at += shared.copy(body, at, from, end)
    at += body.write(fields, at, 'latin1')
    from = end
  }
  shared.copy(body, at, from)
  // The shared ETag and the inserted fields identify the content, so the list is not hashed for each caller.
  return preparedBytes(body, etagOf(`${list.prepared.etag}\n${own.join('\n')}`))
}

/** Joins the list from what teams with and without a solve see. Neighbours of the same kind are copied at once. */
function listOfSolves(
  { prepared, challenges, ends }: SharedList,
  solved: NonNullable<SharedList['solved']>,
  isSolved: (challenge: Challenge) => boolean,
): Prepared {
  const marks = challenges.map(isSolved)
  if (!marks.includes(true)) return prepared
  const size = marks.reduce(
    (sum, mark, at) => (mark ? sum + sizeAt(solved.ends, at) - sizeAt(ends, at) : sum),
    prepared.body.length,
  )
  const body = Buffer.allocUnsafe(size)
  let length = 0
  let from = 0
  for (let at = 1; at <= marks.length; at += 1) {
    const isLast = at === marks.length
    if (!isLast && marks[at] === marks[from]) continue
    const source = marks[from] ? { body: solved.body, ends: solved.ends } : { body: prepared.body, ends }
    const end = isLast ? source.body.length : startOf(source.ends, at)
    length += source.body.copy(body, length, from === 0 ? 0 : startOf(source.ends, from), end)
    from = at
  }
  return preparedBytes(body, etagOf(`${prepared.etag}\n${marks.map(Number).join('')}`))
}

/** Where an entry starts: after the brace and the comma of the one before. */
function startOf(ends: readonly number[], at: number): number {
  return (ends[at - 1] ?? 0) + 2
}

/** The distance from the end of the entry before, or from the start of the body. */
function sizeAt(ends: readonly number[], at: number): number {
  return (ends[at] ?? 0) - (ends[at - 1] ?? 0)
}

function ownFields(score: OwnScore | undefined): string {
  if (!score) return ''
  const delta = score.pointDelta === null ? '' : `,"yourPointDelta":${score.pointDelta}`
  return `,"yourScore":${score.points}${delta}`
}
