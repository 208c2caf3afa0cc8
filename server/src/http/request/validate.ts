import * as replies from '@pennant/contract/replies.ts'
import type { ApiResponse } from '@pennant/contract/route.ts'
import type { z } from 'zod'

export type Source = 'body' | 'query' | 'params'

export type Checked = { readonly value: unknown } | { readonly refused: ApiResponse }

/**
 * Parses one part of a request. Only the first issue is reported:
 * docs/reference/requests-and-responses.md#validation-errors
 */
export function check(source: Source, schema: z.ZodType, value: unknown): Checked {
  const result = schema.safeParse(value)
  if (!result.success) return { refused: refusalOf(source, result.error) }
  const path = findUnstorable(result.data)
  if (path)
    return {
      refused: replies.badBody({ reason: `${source}:${path}: has a character that cannot be stored` }),
    }
  return { value: result.data }
}

/** `badBody` in the same format, for checks in handlers. */
export function refuse(source: Source, path: string, text: string) {
  return replies.badBody({ reason: `${source}:${path}: ${text}` })
}

function refusalOf(source: Source, error: z.ZodError): ApiResponse {
  const [issue] = error.issues
  // Email and name have their own reply kinds if the type is right but the format is wrong.
  const named = issue?.code === 'custom' ? issue.params?.['reply'] : undefined
  if (named === 'badEmail') return replies.badEmail()
  if (named === 'badName') return replies.badName()
  const path = issue ? issue.path.map(String).join('.') : ''
  return replies.badBody({ reason: `${source}:${path}: ${issue?.message ?? 'is not valid'}` })
}

interface Found {
  readonly path: string
  readonly value: unknown
}

/** Returns the path of the first string that PostgreSQL cannot store: with U+0000 or an unpaired surrogate. */
export function findUnstorable(value: unknown): string | null {
  const open: Found[] = [{ path: '', value }]
  for (let found = open.pop(); found; found = open.pop()) {
    const { path, value: item } = found
    if (typeof item === 'string' && !isStorable(item)) return path
    if (typeof item !== 'object' || item === null) continue
    const entries = Object.entries(item).toReversed()
    for (const [key, child] of entries) {
      const childPath = path === '' ? key : `${path}.${key}`
      if (!isStorable(key)) return path
      open.push({ path: childPath, value: child })
    }
  }
  return null
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
