import { hash } from 'node:crypto'
import { goodChallengesV1, goodChallengesV2 } from '@pennant/contract/challenges.ts'
import { partOf, type Joined, type Part } from '../../../http/response/joined.ts'
import { envelopeStart, prepare, preparedBytes, type Prepared } from '../../../http/response/prepared.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import { LRUCache } from 'lru-cache'
import type { Challenge, Views, WorldView } from '../../../world/model.ts'
import { liveScores, type LiveScore } from './rules.ts'
import { challengeV1, challengeV2, lockedV2, type Abilities } from './views.ts'
import type { Visible } from './visible.ts'

/** The list as parts, of which each caller's list is joined. */
export interface SharedList {
  readonly challenges: readonly Challenge[]
  readonly entries: readonly Entry[]
  readonly sizeBytes: number
  /** Whether scores of some differ from team to team. */
  readonly hasLive: boolean
  /** The same for equal lists in every process. */
  readonly tag: string
  /** The list without a caller's own fields. */
  readonly prepared: () => Prepared
}

/** A challenge in the list. A solve of it makes new parts; those of the other challenges stay. */
interface Entry {
  readonly plain: Part
  /** With the points that every team has that has solved it. */
  readonly solved: Part
  /** Without its end, for scores that differ from team to team. */
  readonly open: Part
  readonly tag: string
}

export function prepareListV1(world: WorldView): Prepared {
  return prepare(goodChallengesV1(world.publicChallenges().map(challengeV1)))
}

const START = partOf(`${envelopeStart(goodChallengesV2)}[`)
const END = partOf(']}')

/** Renders the V2 list once for all callers that see the same. Locked challenges come last. */
export function prepareListV2({ world, closed }: Visible, abilities: Abilities): SharedList {
  const open = world.publicChallenges()
  const shownIds = new Set(open.map(({ id }) => id))
  const locked = closed.filter(({ lockedShown }) => lockedShown)
  for (const { id } of locked) shownIds.add(id)
  const entries = [
    ...open.map((challenge, at) => openEntry(challenge, abilities, at === 0)),
    ...locked.map((challenge, at) =>
      entryOf(lockedV2(challenge, shownIds), challenge, open.length + at === 0),
    ),
  ]
  const parts = [START, ...entries.map(({ plain }) => plain), END]
  const tag = hash('sha1', entries.map((entry) => entry.tag).join(), 'base64url')
  let prepared: Prepared | null = null
  return {
    challenges: [...open, ...locked],
    entries,
    hasLive: open.some(({ scoringKind }) => scoringKind === 'dynamic'),
    sizeBytes: parts.reduce((sum, { body }) => sum + body.length, 0),
    tag,
    prepared: () => (prepared ??= preparedBytes(Buffer.concat(parts.map(({ body }) => body)), `"${tag}"`)),
  }
}

const openEntries = new WeakMap<
  Challenge,
  { readonly of: Abilities; readonly isFirst: boolean; entry: Entry }
>()

/** The same for all that may see it. */
function openEntry(challenge: Challenge, abilities: Abilities, isFirst: boolean): Entry {
  const known = mayUseCaches() ? openEntries.get(challenge) : undefined
  if (known?.of === abilities && known.isFirst === isFirst) return known.entry
  const entry = entryOf(challengeV2(challenge, abilities), challenge, isFirst)
  openEntries.set(challenge, { of: abilities, isFirst, entry })
  return entry
}

function entryOf(view: object, { points, scoringKind }: Challenge, isFirst: boolean): Entry {
  const text = `${isFirst ? '' : ','}${JSON.stringify(view)}`
  const open = text.slice(0, -1)
  const plain = partOf(text)
  return {
    plain,
    solved: scoringKind === 'dynamic' ? plain : partOf(`${open}${ownFields({ points, pointDelta: null })}}`),
    open: partOf(open),
    tag: hash('sha1', text, 'base64url'),
  }
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

const NO_SCORES: ReadonlyMap<number, LiveScore> = new Map()

/** Longest text of own scores, of which some are in most lists. */
const OWN_BYTES = 48

/**
 * The list with the caller's own scores. Without any, the shared list itself. What the caller solved is in its ETag as bits, so that the
 * list is not hashed for each caller.
 */
export function personalList(list: SharedList, views: Views, teamId: string): Prepared | Joined {
  const { challenges, entries } = list
  const marks = views.live.solvedMarks(challenges, teamId)
  const scores = list.hasLive ? liveScores(views, teamId, challenges) : NO_SCORES
  if (scores.size === 0 && !marks.includes(1)) return list.prepared()
  const own = [...scores].map(([at, score]) => `${at}${ownFields(score)}`).join()
  const etag = `"${list.tag}.${bitsOf(marks)}${own && `.${hash('sha1', own, 'base64url')}`}"`
  return {
    kind: 'joined',
    etag,
    expectedBytes: list.sizeBytes + OWN_BYTES * entries.length,
    write(sink) {
      sink.part(START)
      for (let at = 0; at < entries.length; at += 1) {
        const { plain, solved, open } = entries[at] as Entry
        const score = scores.get(at)
        if (score) {
          sink.part(open)
          sink.text(`${ownFields(score)}}`)
        } else sink.part(marks[at] === 1 ? solved : plain)
      }
      sink.part(END)
    },
  }
}

/** Marks that are 0 or 1 as text, six in each character. */
function bitsOf(marks: Uint8Array): string {
  const bytes = Buffer.alloc(Math.ceil(marks.length / 8))
  for (let at = 0; at < marks.length; at += 1)
    if (marks[at] === 1) bytes[at >> 3] = (bytes[at >> 3] as number) | (1 << (at & 7))
  return bytes.toString('base64url')
}

function ownFields({ points, pointDelta }: LiveScore): string {
  const delta = pointDelta === null ? '' : `,"yourPointDelta":${pointDelta}`
  return `,"yourScore":${points}${delta}`
}
