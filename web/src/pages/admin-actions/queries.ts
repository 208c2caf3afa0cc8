import { exportActionsCsv, listActions, undoAction } from '@pennant/contract/actions.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { requestData, requestFile, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

export type Action = Awaited<ReturnType<typeof requestData<typeof listActions>>>['actions'][number]

/** As in the address; empty: any. */
export interface ActionFilter {
  readonly kind: string
  readonly actor: string
  readonly target: string
  /** Unix milliseconds. */
  readonly from: number | null
  readonly until: number | null
}

/** Rows of a page. */
const LIMIT = 50

const actionsKey = [OWN_KEY, 'actions'] as const

/** A page of entries, newest first. `before`: only older ones; empty for the newest. */
export function actionsQuery(filter: ActionFilter, before: string) {
  const query = { ...queryOf(filter), limit: String(LIMIT), ...(before !== '' && { before }) }
  return queryOptions({
    queryKey: [...actionsKey, query],
    queryFn: ({ signal }) => requestData(listActions, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(null),
  })
}

function queryOf({ kind, actor, target, from, until }: ActionFilter) {
  return {
    ...(kind !== '' && { action: kind }),
    ...(actor !== '' && { actor }),
    ...(target.trim() !== '' && { target: target.trim() }),
    ...(from !== null && { after: new Date(from).toISOString() }),
    ...(until !== null && { until: new Date(until).toISOString() }),
  }
}

/** Downloads all entries of the filter as CSV. Throws `RequestFailure`. */
export function downloadCsv(filter: ActionFilter): Promise<Blob> {
  return requestFile(exportActionsCsv, { query: queryOf(filter) }, { timeoutMs: null })
}

export function undo(seq: number) {
  return send(undoAction, { params: { id: String(seq) } })
}
