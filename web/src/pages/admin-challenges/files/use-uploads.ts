import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../../api/failure.ts'
import { uploadFile, type StoredFile } from '../../../api/upload.ts'
import { useText } from '../../../text/catalogue.ts'
import { useErrorText } from '../../../text/errors.ts'
import { useToasts } from '../../../ui/layers/toasts.tsx'
import { words } from '../words.ts'
import { findStored } from './find-files.ts'
import { hashOf, isTooLargeToHash, searchFlags } from './inspect-file.ts'

const PARALLEL = 3
/** On their way at once, those that failed included. */
const MOST_UPLOADS = 200

export interface Upload {
  readonly key: number
  readonly file: File
  readonly state: 'queued' | 'sending' | 'failed'
  readonly progress: number
  readonly error?: string
  /** The flag stands in it: it is sent on demand only. */
  readonly holdsFlag: boolean
  /** Why it was not looked at. */
  readonly note?: string
}

interface UploadsOptions {
  /** Texts that no file may hold. */
  readonly flags: readonly string[]
  /** `note`: what could not be checked of it. */
  readonly onStored: (file: StoredFile, note: string | null) => void
}

/** Sends files, three at a time. What the server has already is not sent again. */
export function useUploads({ flags, onStored }: UploadsOptions) {
  const text = useText(words)
  const errorText = useErrorText('once')
  const toasts = useToasts()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const aborts = useRef(new Map<number, AbortController>())
  const lastKey = useRef(0)
  const latest = useRef({ flags, onStored })
  useEffect(() => {
    latest.current = { flags, onStored }
  })
  useEffect(() => {
    const underway = aborts.current
    return () => {
      for (const abort of underway.values()) abort.abort()
    }
  }, [])

  const change = (key: number, changes: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...changes } : each)))
  const remove = (key: number) => setUploads((all) => all.filter((each) => each.key !== key))

  const run = async ({ key, file }: Upload, isAllowed: boolean) => {
    const abort = new AbortController()
    aborts.current.set(key, abort)
    try {
      const search = isAllowed ? 'none' : await searchFlags(file, latest.current.flags)
      if (search === 'found')
        return change(key, { state: 'failed', error: text.files.holdsFlag, holdsFlag: true })
      const note = search === 'tooLarge' ? text.files.notSearched : null
      const said = note ?? (isTooLargeToHash(file) ? text.files.notCompared : undefined)
      if (said !== undefined) change(key, { note: said })
      const sha256 = await hashOf(file)
      const known = sha256 === null ? null : await findStored({ sha256, name: file.name })
      if (abort.signal.aborted) return
      const onProgress = (progress: number) => change(key, { progress })
      const stored = known ?? (await uploadFile(file, { onProgress, signal: abort.signal }))
      remove(key)
      latest.current.onStored(stored, note)
    } catch (error) {
      if (abort.signal.aborted) return
      const said = error instanceof RequestFailure ? errorText(error) : text.files.unreadable
      // Who allowed the flag in it once need not do so again.
      change(key, { state: 'failed', error: said, holdsFlag: isAllowed })
    } finally {
      aborts.current.delete(key)
    }
  }

  // After each change: one that ended makes room for one that waits.
  useEffect(() => {
    const free = PARALLEL - uploads.filter(({ state }) => state === 'sending').length
    for (const upload of uploads.filter(({ state }) => state === 'queued').slice(0, Math.max(0, free))) {
      change(upload.key, { state: 'sending', progress: 0 })
      void run(upload, upload.holdsFlag)
    }
  })

  return {
    uploads,
    add(files: readonly File[]) {
      const room = MOST_UPLOADS - uploads.length
      const added = files.slice(0, room).map((file): Upload => {
        lastKey.current += 1
        return { key: lastKey.current, file, state: 'queued', progress: 0, holdsFlag: false }
      })
      setUploads((all) => [...all, ...added])
      if (files.length > added.length) toasts.show(text.files.tooMany(files.length - added.length), 'bad')
    },
    cancel(key: number) {
      aborts.current.get(key)?.abort()
      remove(key)
    },
    /** Again; one that holds the flag is sent all the same. */
    retry: (key: number) => change(key, { state: 'queued' }),
  }
}
