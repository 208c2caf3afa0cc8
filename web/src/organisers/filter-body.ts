import type { Filter } from '../ui/data/filters.ts'

export interface Lists {
  readonly include?: string[]
  readonly exclude?: string[]
}

/** The filters of a list as the request body: what each field includes and excludes. */
export function filterBody(filters: readonly Filter[]): Record<string, Lists> {
  const body: Record<string, Lists> = {}
  for (const { field, not, values } of filters) {
    const side = not ? 'exclude' : 'include'
    const old = body[field]?.[side]
    // Two including conditions are intersected; two excluding ones are combined.
    const next = old && !not ? old.filter((value) => values.includes(value)) : [...(old ?? []), ...values]
    body[field] = { ...body[field], [side]: next }
  }
  return body
}

/** Whether conditions contradict each other: the API would treat an empty list as no filter. */
export function keepsNothing(body: Readonly<Record<string, Lists>>): boolean {
  return Object.values(body).some(({ include }) => include?.length === 0)
}
