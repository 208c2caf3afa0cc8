import { DRAFT_FIELDS, NEW_DRAFT, type AdminChallenge, type Draft } from '../draft.ts'

// Exports a challenge as a file: the editable fields, without counts and without the webhook secret.

/** Returns the challenge as JSON text for a file. */
export function exportedText(challenge: AdminChallenge & { readonly solveCount?: number }): string {
  const { solveCount: _, flag: __, tiebreakChoice: tiebreakEligible = null, ...kept } = challenge
  const scoring = kept.scoring.kind === 'dynamic' ? { kind: 'dynamic' } : kept.scoring
  return `${JSON.stringify({ ...kept, tiebreakEligible, scoring }, null, 2)}\n`
}

export interface Imported {
  readonly id: string
  readonly draft: Draft
}

/**
 * Parses an exported file; returns null for anything else. Missing fields get the defaults of a new
 * challenge. Only the structure is checked here: the server validates the rest. `secret` is the webhook
 * secret, because files do not contain one.
 */
export function importedFrom(text: string, secret: string): Imported | null {
  const data = objectIn(text)
  if (!data || typeof data['id'] !== 'string' || data['id'] === '' || typeof data['name'] !== 'string')
    return null
  const bot = data['adminBotConfig'] as { code?: unknown } | null | undefined
  const given: Record<string, unknown> = {
    ...data,
    adminBotCode: typeof bot?.code === 'string' ? bot.code : null,
    scoring: scoringOf(data['scoring'], secret),
  }
  const values = DRAFT_FIELDS.map((field) => [field, given[field] ?? NEW_DRAFT[field]])
  const draft = Object.fromEntries(values) as Draft
  const isSound = DRAFT_FIELDS.every((field) => isAlike(draft[field], NEW_DRAFT[field]))
  return isSound && areFiles(draft.files) ? { id: data['id'], draft } : null
}

/** Checks that a value has the type of the default. A null default accepts any type. */
function isAlike(value: unknown, usual: unknown): boolean {
  return usual === null || (typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual))
}

function scoringOf(scoring: unknown, secret: string): unknown {
  const kind = (scoring as { kind?: unknown } | null | undefined)?.kind
  return kind === 'dynamic' ? { kind, source: { transport: 'webhook', secret } } : { kind: kind ?? 'decay' }
}

function areFiles(files: readonly unknown[]): boolean {
  return files.every((file) => {
    const { name, url } = (file ?? {}) as { name?: unknown; url?: unknown }
    return typeof name === 'string' && typeof url === 'string'
  })
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : null
  } catch {
    return null
  }
}
