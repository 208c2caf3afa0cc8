import { DRAFT_FIELDS, NEW_DRAFT, type AdminChallenge, type Draft } from './draft.ts'

// A challenge as a file: what is written of it, without counts and without the secret of its webhook.

/** JSON to be saved as a file. */
export function exportedText(challenge: AdminChallenge & { readonly solveCount?: number }): string {
  const { solveCount: _, flag: __, ...kept } = challenge
  const scoring = kept.scoring.kind === 'dynamic' ? { kind: 'dynamic' } : kept.scoring
  return `${JSON.stringify({ ...kept, scoring }, null, 2)}\n`
}

export interface Imported {
  readonly id: string
  readonly draft: Draft
}

/**
 * The challenge of an exported file; null for anything else. Fields that are missing are those of a new challenge. What
 * the file says is not believed beyond its form: the server checks the rest.
 * @param secret of the webhook, which files do not hold.
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

/** Whether a value has the form of the usual one; of null nothing is known. */
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
