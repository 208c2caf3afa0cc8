import {
  exportChallengeArchive,
  importChallengeArchive,
  MAX_IDS_LENGTH,
} from '@pennant/contract/challenge-archive.ts'
import { addressOf } from '@pennant/contract/client.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { ResponsesOf } from '@pennant/contract/route.ts'
import { send } from './client.ts'
import { RequestFailure } from './failure.ts'
import { sendForm, type UploadOptions } from './upload.ts'

type Planned = { readonly reply: { readonly kind: 'goodChallengeArchivePlan' } }

export type ArchivePlan = Extract<ResponsesOf<typeof importChallengeArchive>, Planned>['data']

/** The server unpacks and checks the archive after it was received, and others may be before it. */
const WORK_MS = 10 * MINUTE_MS

export type ExportResult =
  | { readonly archive: Blob }
  /** Files that the server has lost. */
  | { readonly missing: readonly string[] }

/** The `ids` of an export, or null if there are too many to choose. */
export function idsOf(challenges: readonly { readonly id: string }[]): string | null {
  const ids = challenges.map(({ id }) => encodeURIComponent(id)).join(',')
  return ids.length > MAX_IDS_LENGTH ? null : ids
}

/** Downloads the challenges, or all. Throws `RequestFailure`. */
export async function exportArchive(ids?: string): Promise<ExportResult> {
  const requestedAt = Date.now()
  const result = await send(exportChallengeArchive, { query: { ids } }, { timeoutMs: null })
  // The client makes a blob of a file, which the reply does not declare.
  if (result.kind === 'goodChallengeArchiveFile') return { archive: result.data as unknown as Blob }
  const { kind, status, message, data } = result
  if (data && 'files' in data) return { missing: data.files.map((file) => `${file.challenge}: ${file.name}`) }
  throw new RequestFailure({ kind, status, message, data, requestedAt })
}

export interface ImportOptions extends UploadOptions {
  /** The plan that was shown; null only asks for one. */
  readonly plan: string | null
  /** Whether pictures of other sites are fetched and stored. */
  readonly storesPictures: boolean
}

export interface ImportResult {
  readonly kind:
    | 'goodChallengeArchivePlan'
    | 'goodChallengeArchiveImport'
    | 'badChallengeArchive'
    | 'badChallengeArchivePlan'
  readonly plan: ArchivePlan
}

/** Uploads the archive and returns its plan, or the result of the import. Throws `RequestFailure`. */
export async function importArchive(
  file: File,
  { plan, storesPictures, ...options }: ImportOptions,
): Promise<ImportResult> {
  const form = new FormData()
  form.append('archive', file, file.name)
  const query =
    plan === null
      ? { dryRun: 'true' as const }
      : { plan, ...(storesPictures && { storePictures: 'true' as const }) }
  const address = addressOf(importChallengeArchive, { query })
  const { kind, data, status, message, requestedAt } = await sendForm(
    { method: importChallengeArchive.method, address, form, workMs: WORK_MS },
    options,
  )
  if (isPlanned(kind)) return { kind, plan: data as ArchivePlan }
  throw new RequestFailure({ kind, status, message, data: data as RequestFailure['data'], requestedAt })
}

const PLANNED: readonly string[] = [
  'goodChallengeArchivePlan',
  'goodChallengeArchiveImport',
  'badChallengeArchive',
  'badChallengeArchivePlan',
]

function isPlanned(kind: string): kind is ImportResult['kind'] {
  return PLANNED.includes(kind)
}
