import { inPlace, withParams } from '../../paths.ts'
import { useSearchParams } from 'react-router'
import { useConfig } from '../../api/use-contest.ts'
import { readStored, writeStored } from '../../state/storage.ts'
import { useMedia } from '../../ui/use-media.ts'
import { comparedIds } from './compare/compared-row.ts'
import { parsedTime } from './parsed-time.ts'

const GRAPH_KEY = 'pennant.graph'
/** The API rejects shorter searches. */
const SHORTEST_SEARCH = 2

/** Changes by parameter name; an empty value removes the parameter. */
export type ChangeAddress = (changes: Readonly<Record<string, string>>) => void

/** The state of the page, stored in the URL: `q, division, track, view, order, graph, at, time, compare`. */
export function useAddress() {
  const [search, setSearch] = useSearchParams()
  const { divisions, tracks } = useConfig() ?? {}
  const isWide = useMedia('(min-width: 768px)')
  const division = search.get('division') ?? ''
  const isKnown = divisions === undefined || Object.hasOwn(divisions, division)
  const query = (search.get('q') ?? '').trim()
  const change: ChangeAddress = (changes) => setSearch((now) => withParams(now, changes), inPlace(changes))
  const graph = search.get('graph') ?? (isWide ? (readStored(GRAPH_KEY) ?? '1') : '0')
  return {
    filter: {
      division: division !== '' && isKnown ? division : undefined,
      track: tracks && (search.get('track') || 'main'),
      search: query.length >= SHORTEST_SEARCH ? query : undefined,
    },
    /** As typed, even if it is too short to search for. */
    query,
    isUnknownDivision: division !== '' && !isKnown,
    isMatrix: isWide && search.get('view') === 'matrix',
    order: search.get('order') === 'solves' ? ('solves' as const) : ('category' as const),
    isGraph: graph === '1',
    /** Ids of the teams to compare, at most five. */
    compared: comparedIds(search.get('compare')),
    /** Index of the first row to show. */
    startRow: Math.max(0, (Number.parseInt(search.get('at') ?? '1', 10) || 1) - 1),
    /** The time of the replay; null while the current standings are shown. */
    time: parsedTime(search.get('time')),
    change,
    compare: (ids: readonly string[]) => change({ compare: ids.join(',') }),
    showGraph(shown: boolean) {
      writeStored(GRAPH_KEY, shown ? '1' : '0')
      change({ graph: shown ? '1' : '0' })
    },
  }
}
