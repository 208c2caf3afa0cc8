import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { refuseToken, sessionToken } from '../state/session.ts'
import { RequestFailure } from './failure.ts'

/** An upload without progress for this long has failed: docs/reference/site.md#request-timeouts */
const STALLED_AFTER_MS = 30_000

export interface StoredFile {
  readonly name: string
  readonly url: string
  /** Bytes. */
  readonly size: number | null
}

export interface UploadOptions {
  /** Fraction sent, from 0 to 1. */
  readonly onProgress?: (part: number) => void
  readonly signal?: AbortSignal
}

/**
 * Uploads one file and reports progress, which `fetch` cannot. Throws `RequestFailure` of kind `network`
 * after half a minute without progress, and `AbortError` when aborted.
 */
export async function uploadFile(file: File, options: UploadOptions = {}): Promise<StoredFile> {
  const form = new FormData()
  form.append('files', file, file.name)
  const { method, path: address } = uploadFilesV2
  const response = await sendForm({ method, address, form, workMs: STALLED_AFTER_MS }, options)
  const { kind, status, message, data, requestedAt } = response
  const [stored] = Array.isArray(data) ? (data as StoredFile[]) : []
  if (kind === 'goodFilesUpload' && stored) return stored
  throw new RequestFailure({ kind, status, message, data: data as RequestFailure['data'], requestedAt })
}

interface SentForm {
  readonly method: string
  readonly address: string
  readonly form: FormData
  /** How long the server may take after it has received everything. */
  readonly workMs: number
}

interface FormResponse {
  readonly kind: string
  readonly status: number
  readonly message: string
  readonly data: unknown
  readonly requestedAt: number
}

/** Sends a form and returns any response; `network` if there is none. Throws `AbortError` when aborted. */
export async function sendForm(sent: SentForm, { onProgress, signal }: UploadOptions): Promise<FormResponse> {
  signal?.throwIfAborted()
  const token = sessionToken()
  const request = new XMLHttpRequest()
  request.open(sent.method, sent.address)
  if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
  const abort = () => request.abort()
  signal?.addEventListener('abort', abort)
  const requestedAt = Date.now()
  const response = await exchange(request, sent, onProgress).finally(() =>
    signal?.removeEventListener('abort', abort),
  )
  signal?.throwIfAborted()
  const { kind, message = '', data } = response
  if (kind === 'badToken' && token !== null) refuseToken(token)
  return { kind, status: request.status, message, data, requestedAt }
}

interface UploadResponse {
  readonly kind: string
  readonly message?: string
  readonly data?: unknown
}

const NO_RESPONSE: UploadResponse = { kind: 'network' }

function exchange(request: XMLHttpRequest, { form, workMs }: SentForm, onProgress?: (part: number) => void) {
  return new Promise<UploadResponse>((resolve) => {
    let timer: ReturnType<typeof setTimeout>
    const watch = (ms = STALLED_AFTER_MS) => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), ms)
    }
    const end = (response: UploadResponse) => {
      clearTimeout(timer)
      resolve(response)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      watch()
      onProgress?.(total === 0 ? 1 : loaded / total)
    })
    request.upload.addEventListener('load', () => watch(workMs))
    request.addEventListener('load', () => end(answerIn(request)))
    for (const event of ['error', 'abort'] as const) request.addEventListener(event, () => end(NO_RESPONSE))
    watch()
    request.send(form)
  })
}

function answerIn({ responseText }: XMLHttpRequest): UploadResponse {
  try {
    const response: unknown = JSON.parse(responseText)
    if (typeof response === 'object' && response !== null && 'kind' in response)
      return response as UploadResponse
  } catch {
    // A proxy that responds for the server sends HTML.
  }
  return { kind: 'errorUnavailable' }
}
