import { hash } from 'node:crypto'
import { badToken } from '@pennant/contract/replies.ts'
import { goodOwnResults } from '@pennant/contract/teams.ts'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../../http/handler.ts'
import { partOf, type Joined, type Part } from '../../../http/response/joined.ts'
import { envelope } from '../../../http/response/prepared.ts'
import { countLookups } from '../../../lib/cache-counts.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { TeamRow } from '../../../world/model.ts'
import { divided, ownStateOf, type OwnProfileDeps } from './own-profile.ts'
import { emptyRecord, ownSolvesOf, profileScores } from './profile.ts'
import { ownResults as view } from './views.ts'

// What the site reads of the caller's team, beside the list of challenges that all callers share. Only the score and the ranks change with
// solves of other teams, so the rest is kept as two parts, which are compressed once.

interface Own {
  readonly key: string
  /** The same for equal parts in every process. */
  readonly tag: string
  readonly start: Part
  readonly end: Part
}

const MARK = '"score":0,"globalPlace":null,"divisionPlace":null'
/** Of about 4,000 teams with 40 solves each, also compressed. */
const KEPT = { maxSize: 16 * 1024 * 1024 }
/** The objects of a team beside the bytes of the body, which are counted twice for the compressed ones. */
const OBJECT_BYTES = 512
/** Score and ranks. */
const MARK_BYTES = 96

export function ownResults(deps: OwnProfileDeps) {
  const { world, shown } = deps
  const kept = new LRUCache<string, Own>(KEPT)
  const countLookup = countLookups('own results', Infinity)

  function ownOf(team: TeamRow, actor: Actor): Own {
    const { key, extras } = ownStateOf(deps, actor)
    const known = mayUseCaches() ? kept.get(team.id) : undefined
    countLookup(known?.key === key)
    if (known?.key === key) return known
    const [live, frozen] = [world(), shown()]
    const record = {
      ...emptyRecord,
      solves: ownSolvesOf({ world: frozen, live, score: deps.score }, team),
      dynamicScores: team.banned ? [] : profileScores(frozen, team.id),
    }
    const text = envelope(goodOwnResults(view(team, record, extras)))
    const [start, end] = divided(text, MARK).map(partOf) as [Part, Part]
    const own = { key, tag: hash('sha1', text, 'base64url'), start, end }
    kept.set(team.id, own, { size: OBJECT_BYTES + 2 * text.length })
    return own
  }

  return ({ team: actor }: { readonly team: Actor }): Joined | ReturnType<typeof badToken> => {
    const team = world().team(actor.id)
    if (!team) return badToken()
    const { tag, start, end } = ownOf(team, actor)
    const { score, globalRank, divisionRank } = team.banned ? emptyRecord : shown().standing(team.id)
    return {
      kind: 'joined',
      etag: `"${tag}.${score}.${globalRank}.${divisionRank}"`,
      expectedBytes: start.body.length + MARK_BYTES + end.body.length,
      write(sink) {
        sink.part(start)
        sink.text(`"score":${score},"globalPlace":${globalRank},"divisionPlace":${divisionRank}`)
        sink.part(end)
      },
    }
  }
}
