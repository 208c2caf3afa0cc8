import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../../api/failure.ts'
import { uploadFile, type StoredFile } from '../../../api/upload.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useErrorText, useMessages } from '../../../text/messages.ts'
import { findStored } from './find-files.ts'
import { hashOf, isTooLargeToHash, searchFlags } from './inspect-file.ts'

const PARALLEL = 3
/** Maximum number of entries in the upload list, including failed ones. */
const MAX_UPLOADS = 200

export interface Upload {
  readonly key: number
  readonly file: File
  readonly state: 'queued' | 'sending' | 'failed'
  readonly progress: number
  readonly error?: string
  /** The file contains the flag: it is only uploaded after confirmation. */
  readonly holdsFlag: boolean
  /** Why the file was not inspected. */
  readonly note?: string
}

interface UploadsOptions {
  /** Texts that no file should contain. */
  readonly flags: readonly string[]
  /** `note`: the checks that could not be run. */
  readonly onStored: (file: StoredFile, note: string | null) => void
}

/** Uploads files, three at a time. Skips files that the server already has. */
export function useUploads({ flags, onStored }: UploadsOptions) {
  const text = useMessages(adminChallengesMessages)
  const errorText = useErrorText('once')
  const [surplus, setSurplus] = useState(0)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const aborts = useRef(new Map<number, AbortController>())
  const lastKey = useRef(0)
  const latest = useRef({ flags, onStored })
  useEffect(() => {
    latest.current = { flags, onStored }
  })
  useEffect(() => {
    const running = aborts.current
    return () => {
      for (const abort of running.values()) abort.abort()
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
        return change(key, { state: 'failed', error: text.files.containsFlag, holdsFlag: true })
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
      // The user has already allowed this flag; do not ask again.
      change(key, { state: 'failed', error: said, holdsFlag: isAllowed })
    } finally {
      aborts.current.delete(key)
    }
  }

  // Runs after every render: a finished upload frees a slot for a queued one.
  useEffect(() => {
    const free = PARALLEL - uploads.filter(({ state }) => state === 'sending').length
    for (const upload of uploads.filter(({ state }) => state === 'queued').slice(0, Math.max(0, free))) {
      change(upload.key, { state: 'sending', progress: 0 })
      void run(upload, upload.holdsFlag)
    }
  })

  return {
    uploads,
    /** How many of the files that were added last are too many. */
    surplus,
    add(files: readonly File[]) {
      const added = files.slice(0, MAX_UPLOADS - uploads.length).map((file): Upload => {
        lastKey.current += 1
        return { key: lastKey.current, file, state: 'queued', progress: 0, holdsFlag: false }
      })
      setUploads((all) => [...all, ...added])
      setSurplus(files.length - added.length)
    },
    cancel(key: number) {
      aborts.current.get(key)?.abort()
      remove(key)
    },
    /** Queues the upload again, even if the file contains the flag. */
    retry: (key: number) => change(key, { state: 'queued' }),
  }
}
