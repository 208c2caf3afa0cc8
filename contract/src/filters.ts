import { z } from 'zod'
import { Limit, Offset } from './fields.ts'

// Lists that organisers read: a page of rows in an order, kept or dropped by filters (contract, admin B.3 and B.5).

/** Rows of one page. */
export const maxAdminLimit = 100

/** Values that one list of a filter names. */
export const maxFilterValues = 1024

export const AdminPage = z.object({
  limit: Limit.refine((limit) => limit <= maxAdminLimit, { error: `must be at most ${maxAdminLimit}` }).meta({
    type: 'integer',
    minimum: 1,
    maximum: maxAdminLimit,
  }),
  offset: Offset,
})

/** Trimmed; blank means no search. */
export const AdminSearch = z
  .string()
  .min(1)
  .max(100)
  .transform((text) => text.trim())

export const SortOrder = z.enum(['asc', 'desc'])

/** Keeps the rows that `include` names and drops those that `exclude` names. Absent, null or empty: no restriction. */
export function filterOf<T extends z.ZodType>(value: T) {
  const list = z.array(value).max(maxFilterValues).nullish()
  return z.object({ include: list, exclude: list }).nullish()
}

/** Any filter, once parsed. */
export interface Filter<T> {
  readonly include?: readonly T[] | null | undefined
  readonly exclude?: readonly T[] | null | undefined
}

/** Whether a row with this value passes. */
export function passes<T>(filter: Filter<T> | null | undefined, value: T): boolean {
  const { include, exclude } = filter ?? {}
  if (include && include.length > 0 && !include.includes(value)) return false
  return !exclude?.includes(value)
}
