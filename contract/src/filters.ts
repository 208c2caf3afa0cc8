import { z } from 'zod'
import { Limit, Offset } from './fields.ts'

// Paging, sort order and filters of the lists for organisers: docs/reference/administration.md#filters

/** Maximum rows per page. */
export const MAX_ADMIN_LIMIT = 100

/** Maximum values in one list of a filter. */
export const MAX_FILTER_VALUES = 1024

export const AdminPage = z.object({
  limit: Limit.refine((limit) => limit <= MAX_ADMIN_LIMIT, {
    error: `must be at most ${MAX_ADMIN_LIMIT}`,
  }).meta({
    type: 'integer',
    minimum: 1,
    maximum: MAX_ADMIN_LIMIT,
  }),
  offset: Offset,
})

/** Trimmed; blank means no search. */
export const AdminSearch = z
  .string()
  .min(1)
  .max(100)
  .transform((text) => text.trim())
  .describe('Part of the name or id.')

export const SortOrder = z.enum(['asc', 'desc']).describe('Direction of the order.')

/** Keeps the rows in `include` and drops those in `exclude`. Absent, null or empty means no restriction. */
export function filterOf<T extends z.ZodType>(value: T) {
  const list = z.array(value).max(MAX_FILTER_VALUES).nullish()
  return z.object({ include: list, exclude: list }).nullish()
}

/** Any filter, after parsing. */
export interface Filter<T> {
  readonly include?: readonly T[] | null | undefined
  readonly exclude?: readonly T[] | null | undefined
}

/** Whether a row with this value passes the filter. */
export function passes<T>(filter: Filter<T> | null | undefined, value: T): boolean {
  const { include, exclude } = filter ?? {}
  if (include && include.length > 0 && !include.includes(value)) return false
  return !exclude?.includes(value)
}
