import { hash } from 'node:crypto'
import { badToken } from '@pennant/contract/replies.ts'
import { goodOwnResults } from '@pennant/contract/teams.ts'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../../http/handler.ts'
import type { Joined } from '../../../http/response/joined.ts'
import { envelope } from '../../../http/response/prepared.ts'
import { countLookups } from '../../../lib/cache-counts.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { divided, ownScores, ownStanding, ownStateOf, type OwnProfileDeps } from './own-profile.ts'
import { emptyRecord, shownSolves } from './profile.ts'
import { ownResults as view } from './views.ts'

// What the site reads of the caller's team, beside the list of challenges that all callers share. Only the score and the ranks change with
// solves of other teams, so the rest is kept as two parts.

interface Own {
  readonly key: string
  /** The same for equal parts in every process. */
  readonly tag: string
  readonly start: Buffer
  readonly end: Buffer
}

const MARK = '"score":0,"globalPlace":null,"divisionPlace":null'
/** Of about 11,000 teams with 40 solves each. */
const KEPT = { maxSize: 36 * 1024 * 1024 }
/** The objects of a team beside the bytes of the body. */
const OBJECT_BYTES = 512
/** Score and ranks. */
const MARK_BYTES = 96

export function ownResults(deps: OwnProfileDeps) {
  const { world, visibility } = deps
  const kept = new LRUCache<string, Own>(KEPT)
  const countLookup = countLookups('own results', Infinity)

  function ownOf(seen: WorldView, team: TeamRow, actor: Actor): Own {
    const { key, extras } = ownStateOf(deps, actor)
    const known = mayUseCaches() ? kept.get(team.id) : undefined
    countLookup(known?.key === key)
    if (known?.key === key) return known
    const dynamicScores = ownScores(deps, seen, team)
    const solves = team.banned ? [] : shownSolves(seen, team.id, world())
    const text = envelope(goodOwnResults(view(team, { ...emptyRecord, dynamicScores, solves }, extras)))
    const [start, end] = divided(text, MARK)
    const own = {
      key,
      tag: hash('sha1', text, 'base64url'),
      start: Buffer.from(start),
      end: Buffer.from(end),
    }
    kept.set(team.id, own, { size: OBJECT_BYTES + text.length })
    return own
  }

  return ({ team: actor }: { readonly team: Actor }): Joined | ReturnType<typeof badToken> => {
    const team = world().team(actor.id)
    if (!team) return badToken()
    const { world: seen } = visibility.seenBy(actor)
    const { tag, start, end } = ownOf(seen, team, actor)
    const { score, globalRank, divisionRank } = ownStanding(deps, seen, team)
    return {
      kind: 'joined',
      etag: `"${tag}.${score}.${globalRank}.${divisionRank}"`,
      compression: 'none',
      expectedBytes: start.length + MARK_BYTES + end.length,
      write(sink) {
        sink.bytes(start)
        sink.text(`"score":${score},"globalPlace":${globalRank},"divisionPlace":${divisionRank}`)
        sink.bytes(end)
      },
    }
  }
}
