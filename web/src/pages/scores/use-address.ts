import { inPlace, withParams } from '../../paths.ts'
import { useSearchParams } from 'react-router'
import { useConfig } from '../../api/use-contest.ts'
import { readStored, writeStored } from '../../state/storage.ts'
import { useMedia } from '../../ui/use-media.ts'

const GRAPH_KEY = 'pennant.graph'
/** The API refuses shorter searches. */
const SHORTEST_SEARCH = 2

/** By the names of the address; an empty value takes one out. */
export type ChangeAddress = (changes: Readonly<Record<string, string>>) => void

/** What the page shows stands in its address: `q, division, view, order, graph, at`. */
export function useAddress() {
  const [search, setSearch] = useSearchParams()
  const divisions = useConfig()?.divisions
  const isWide = useMedia('(min-width: 768px)')
  const division = search.get('division') ?? ''
  const isKnown = divisions === undefined || Object.hasOwn(divisions, division)
  const query = (search.get('q') ?? '').trim()
  const change: ChangeAddress = (changes) => setSearch((now) => withParams(now, changes), inPlace(changes))
  const graph = search.get('graph') ?? (isWide ? (readStored(GRAPH_KEY) ?? '1') : '0')
  return {
    filter: {
      division: division !== '' && isKnown ? division : undefined,
      search: query.length >= SHORTEST_SEARCH ? query : undefined,
    },
    /** As it was typed, even when it is too short to search for. */
    query,
    isUnknownDivision: division !== '' && !isKnown,
    isMatrix: isWide && search.get('view') === 'matrix',
    order: search.get('order') === 'solves' ? ('solves' as const) : ('category' as const),
    isGraph: graph === '1',
    /** The row to begin with, from 0. */
    startRow: Math.max(0, (Number.parseInt(search.get('at') ?? '1', 10) || 1) - 1),
    change,
    showGraph(shown: boolean) {
      writeStored(GRAPH_KEY, shown ? '1' : '0')
      change({ graph: shown ? '1' : '0' })
    },
  }
}
