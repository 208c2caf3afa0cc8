import { findCycle } from '../../../features/contest/challenges/prerequisites.ts'
import { integerOf, isObject, isTrue, listOf, objectOf, parseJson, textOrNull, type Json } from '../json.ts'

/** Prerequisites that an organiser can save in the form of a challenge. */
const MAX_PREREQUISITES = 20

export interface Requirement {
  /** Ids of the source. */
  readonly ids: readonly number[]
  /** Why Pennant cannot keep the prerequisites; null if it can. */
  readonly obstacle: 'cycle' | 'count' | null
  /** What teams see of the challenge before they may open it: nothing, a row without its name, or the name. */
  readonly shown: 'nothing' | 'row' | 'name'
}

/** The requirements of the challenges that have any, by their id. Ids of challenges that no longer exist are ignored, as CTFd does. */
export function readRequirements(rows: readonly Json[]): ReadonlyMap<number, Requirement> {
  const known = new Set(rows.map(({ id }) => integerOf(id)))
  const parsed = rows.flatMap((row) => {
    const id = integerOf(row['id'])
    const ids = prerequisitesOf(row, known)
    return id === null || ids.length === 0 ? [] : [{ id, ids, anonymize: valueOf(row)['anonymize'] }]
  })
  const graph = new Map(parsed.map(({ id, ids }) => [String(id), ids.map(String)]))
  return new Map(
    parsed.map(({ id, ids, anonymize }) => {
      const isCycle = findCycle(String(id), graph) !== null
      const obstacle = isCycle ? 'cycle' : ids.length > MAX_PREREQUISITES ? 'count' : null
      const shown = anonymize === 'preview' ? 'name' : isTrue(anonymize) ? 'row' : 'nothing'
      return [id, { ids, obstacle, shown }]
    }),
  )
}

/** The known ids that a challenge or a hint requires. */
export function prerequisitesOf(row: Json, known: ReadonlySet<number | null>): number[] {
  return [...new Set(listOf(valueOf(row)['prerequisites']).map(integerOf))].filter(
    (each): each is number => each !== null && known.has(each),
  )
}

/** Some databases export the object as text. */
function valueOf({ requirements }: Json): Json {
  return isObject(requirements) ? requirements : objectOf(parseJson(textOrNull(requirements)))
}
