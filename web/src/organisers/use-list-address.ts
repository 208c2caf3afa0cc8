import { inPlace, withParams } from '../paths.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { Sort } from '../ui/data/data-table.tsx'
import { filtersFromText, filtersToText, type Filter } from '../ui/data/filters.ts'

/** Rows per page of a list. */
export const LIST_PAGE = 50

interface Known {
  /** Columns that the server can sort by; the first is the default. */
  readonly sorts: readonly string[]
  readonly direction: Sort['direction']
  readonly fields: readonly string[]
}

/** The state of a list, kept in the address. Any change of the rows returns to the first page. */
export function useListAddress({ sorts, direction, fields }: Known) {
  const [params, setParams] = useSearchParams()
  const [by, turn] = (params.get('sort') ?? '').split('.')
  const known = sorts.find((sort) => sort === by)
  const sort: Sort = {
    by: known ?? sorts[0] ?? '',
    direction: known === undefined ? direction : turn === 'desc' ? 'descending' : 'ascending',
  }
  const filterText = params.get('filter') ?? ''
  const filters = useMemo(() => filtersFromText(filterText, fields), [filterText, fields])
  const change = (changes: Readonly<Record<string, string>>) =>
    setParams((old) => withParams(old, { page: '', ...changes }), {
      ...inPlace(changes),
      // Another page of the list starts at its top.
      preventScrollReset: changes['page'] === undefined,
    })
  return {
    search: params.get('q') ?? '',
    sort,
    filters,
    page: pageOf(params.get('page')),
    param: (name: string) => params.get(name) ?? '',
    change,
    setSort: (next: Sort) =>
      change({ sort: `${next.by}.${next.direction === 'descending' ? 'desc' : 'asc'}` }),
    setFilters: (next: readonly Filter[]) => change({ filter: filtersToText(next) }),
    setPage: (page: number) => change({ page: page === 0 ? '' : String(page + 1) }),
  }
}

/** Zero-based in the code, one-based in the address. */
function pageOf(text: string | null): number {
  const page = Number(text ?? '1')
  return Number.isSafeInteger(page) && page > 0 ? page - 1 : 0
}
