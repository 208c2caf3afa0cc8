import type { Filter } from '../../ui/data/filters.ts'

export interface Lists {
  readonly include?: string[]
  readonly exclude?: string[]
}

/** The chips of a list as the body of its request: what each field keeps, and what it drops. */
export function filterBody(filters: readonly Filter[]): Record<string, Lists> {
  const body: Record<string, Lists> = {}
  for (const { field, not, values } of filters) {
    const side = not ? 'exclude' : 'include'
    const old = body[field]?.[side]
    // Two conditions that keep must both hold; two that drop both drop.
    const next = old && !not ? old.filter((value) => values.includes(value)) : [...(old ?? []), ...values]
    body[field] = { ...body[field], [side]: next }
  }
  return body
}

/** Whether two conditions contradict each other: an empty list would keep everything. */
export function keepsNothing(body: Readonly<Record<string, Lists>>): boolean {
  return Object.values(body).some(({ include }) => include?.length === 0)
}
