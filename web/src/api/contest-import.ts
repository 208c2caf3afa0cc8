import { addressOf } from '@pennant/contract/client.ts'
import { importContest as importRoute, readContestImport } from '@pennant/contract/contest-import.ts'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import type { ResponsesOf, SentOf } from '@pennant/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from './client.ts'
import { RequestFailure } from './failure.ts'
import { OWN_KEY } from './queries.ts'
import { sendForm, type UploadOptions } from './upload.ts'

type Imported = Extract<
  ResponsesOf<typeof importRoute>,
  { readonly reply: { readonly kind: 'goodContestImport' } }
>['data']
export type ImportReport = Omit<Imported, 'secrets'>

/** The server may take 20 minutes after it has received the file. */
const WORK_MS = 21 * MINUTE_MS
const POLL_MS = SECOND_MS

export const contestImportKey = [OWN_KEY, 'contest-import']

/** The state of imports, read again each second while one runs. */
export const contestImportQuery = (isSending: boolean) =>
  queryOptions({
    queryKey: contestImportKey,
    queryFn: ({ signal }) => requestData(readContestImport, {}, { signal }),
    refetchInterval: ({ state }) => (isSending || state.data?.running ? POLL_MS : false),
  })

export type ImportChoices = Omit<SentOf<typeof importRoute>['query'], 'plan' | 'storePictures'>

export interface ImportRequest extends UploadOptions {
  readonly choices: ImportChoices
  /** A token of a team of rCTF; may be empty. */
  readonly token: string
  /** Files of the configuration of rCTF. */
  readonly configuration: readonly File[]
  /** The plan that was accepted; null only asks for one. */
  readonly plan: string | null
  /** Whether pictures of other sites are fetched and stored. */
  readonly storesPictures: boolean
}

export type ImportResult =
  | { readonly kind: 'planned' | 'refused'; readonly report: ImportReport }
  | { readonly kind: 'imported'; readonly report: ImportReport; readonly secrets: string }
  /** The file cannot be imported. */
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Uploads a contest, and plans or imports it. Throws `RequestFailure`. */
export async function sendContest(file: File, request: ImportRequest): Promise<ImportResult> {
  const { choices, token, configuration, plan, storesPictures, ...options } = request
  const form = new FormData()
  if (token !== '') form.append('token', token)
  for (const each of configuration) form.append('configuration', each, each.name)
  form.append('archive', file, file.name)
  const storing = storesPictures ? { storePictures: 'true' as const } : {}
  const accepted = plan === null ? {} : { plan, ...storing }
  const address = addressOf(importRoute, { query: { ...choices, ...accepted } })
  const sent = { method: importRoute.method, address, form, workMs: WORK_MS }
  const { kind, data, status, message, requestedAt } = await sendForm(sent, options)
  switch (kind) {
    case 'goodContestImportPlan':
      return { kind: 'planned', report: data as ImportReport }
    case 'badContestImport':
    case 'badContestImportPlan':
      return { kind: 'refused', report: data as ImportReport }
    case 'goodContestImport':
      return { kind: 'imported', report: data as ImportReport, secrets: (data as Imported).secrets }
    case 'badContestImportSource':
    case 'badContestNotEmpty':
      return { kind: 'unreadable', reason: (data as { readonly reason: string }).reason }
    default:
      throw new RequestFailure({ kind, status, message, data: data as RequestFailure['data'], requestedAt })
  }
}
