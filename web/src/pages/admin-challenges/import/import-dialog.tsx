import { useState, useEffect, useRef } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages, useErrorText } from '../../../text/messages.ts'
import { FileDrop } from '../../../ui/upload/file-drop.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { importedFrom, type Imported } from './exported.ts'
import { newSecret } from '../scoring/new-secret.ts'
import { ImportReview } from './import-review.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { importArchive, type ArchivePlan, type ImportResult } from '../../../api/archive.ts'
import { RequestFailure } from '../../../api/failure.ts'
import { ForeignPictures, LeftPictures } from '../../../organisers/foreign-pictures.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { announce } from '../../../ui/announcer.tsx'
import { useUiMessages } from '../../../ui/ui-messages.ts'
import { challengesKey } from '../queries.ts'
import { ArchivePlanView } from './archive-plan.tsx'
import styles from './import.module.css'

/** Far larger than any real challenge file. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
/** The server rejects archives over its own limit. */
const MAX_BYTES = 1024 ** 3

interface ImportDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** Reads an archive or one exported challenge, and previews the changes before writing anything. */
export function ImportDialog({ open, onClose }: ImportDialogProps) {
  const text = useMessages(adminChallengesMessages)
  const [imported, setImported] = useState<Imported | null>(null)
  const [archive, setArchive] = useState<File | null>(null)
  const [isBroken, setBroken] = useState(false)
  const close = () => {
    setImported(null)
    setArchive(null)
    setBroken(false)
    onClose()
  }
  const read = async ([file]: readonly File[]) => {
    if (!file) return
    if (await isZip(file)) return setArchive(file)
    const found = file.size > MAX_FILE_BYTES ? null : importedFrom(await file.text(), newSecret())
    setImported(found)
    setBroken(found === null)
  }
  return (
    <Dialog open={open} onClose={close} title={text.importTitle} size="large">
      {archive && <ArchiveImport file={archive} onDone={close} onBack={() => setArchive(null)} />}
      {!archive && imported && <ImportReview imported={imported} onDone={close} />}
      {!archive && !imported && (
        <>
          <p>{text.importAbout}</p>
          <FileDrop
            label={text.importFile}
            accept=".zip,application/zip,.json,application/json"
            maxSize={MAX_BYTES}
            onFiles={(files) => void read(files)}
          />
          {isBroken && <p role="alert">{text.importBroken}</p>}
        </>
      )}
    </Dialog>
  )
}

/** By name, and by its first bytes for a file without one: an empty archive begins with the last record. */
async function isZip(file: File): Promise<boolean> {
  if (/\.zip$/i.test(file.name)) return true
  return (await file.slice(0, 2).text()) === 'PK'
}

interface ArchiveImportProps {
  readonly file: File
  readonly onDone: () => void
  /** Another file is to be chosen. */
  readonly onBack: () => void
}

/** Shows what an archive would change, and imports it when confirmed. */
function ArchiveImport({ file, onDone, onBack }: ArchiveImportProps) {
  const sending = useSending(file, onDone)
  const { send, result } = sending
  // The component is created again for another file.
  useEffect(() => send(null), [send])
  const { progress } = sending
  const isSending = progress !== null
  const region = useRef<HTMLDivElement>(null)
  // The button that was pressed disappears, so the focus would be lost.
  useEffect(() => region.current?.focus(), [isSending])
  return (
    <div ref={region} tabIndex={-1} className={styles.region}>
      {progress === null ? (
        result?.kind === 'goodChallengeArchiveImport' ? (
          <Left left={result.plan.picturesLeft} onDone={onDone} />
        ) : (
          <Planned result={result} failure={sending.failure} onImport={send} onBack={onBack} />
        )
      ) : (
        <Progress name={file.name} isImport={sending.isImport} progress={progress} onCancel={onBack} />
      )}
    </div>
  )
}

/** The plan to carry out. */
interface Sent {
  readonly plan: string
  readonly storesPictures: boolean
}

interface LeftProps {
  readonly left: ArchivePlan['picturesLeft']
  readonly onDone: () => void
}

function Left({ left, onDone }: LeftProps) {
  const { close } = useUiMessages()
  return (
    <>
      <LeftPictures left={left} />
      <Button onClick={onDone}>{close}</Button>
    </>
  )
}

interface PlannedProps {
  /** Null if there is only a failure. */
  readonly result: ImportResult | null
  readonly failure: string | null
  readonly onImport: (request: Sent) => void
  readonly onBack: () => void
}

function Planned({ result, failure, onImport, onBack }: PlannedProps) {
  const text = useMessages(adminChallengesMessages).archive
  const plan = result?.plan
  const [storesPictures, setStoresPictures] = useState(false)
  const count = plan?.challenges.filter(({ state }) => state !== 'unchanged').length ?? 0
  const canImport = plan && plan.problemCount === 0 && count > 0
  return (
    <>
      {result?.kind === 'badChallengeArchivePlan' && <p role="alert">{text.planChanged}</p>}
      {failure !== null && <p role="alert">{failure}</p>}
      {plan && <ArchivePlanView plan={plan} />}
      {canImport && plan.pictureCount > 0 && (
        <ForeignPictures
          count={plan.pictureCount}
          lines={plan.pictures.map((each) => `${each.challenge}: ${each.host} (${each.count})`)}
          checked={storesPictures}
          onChange={setStoresPictures}
        />
      )}
      <div className="pn-row pn-gap-3">
        {canImport && (
          <Button tone="primary" onClick={() => onImport({ plan: plan.plan, storesPictures })}>
            {text.confirm(count)}
          </Button>
        )}
        <Button onClick={onBack}>{text.anotherFile}</Button>
      </div>
    </>
  )
}

/** Sends the archive for a plan (null) or for the import of a plan, one at a time. */
function useSending(file: File, onDone: () => void) {
  const text = useMessages(adminChallengesMessages).archive
  const errorText = useErrorText('once')
  const client = useQueryClient()
  const [result, setResult] = useState<ImportResult | null>(null)
  const [progress, setProgress] = useState(0)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const sending = useMutation({
    mutationFn: async (sent: Sent | null) => {
      abort.current = new AbortController()
      setProgress(0)
      try {
        const { signal } = abort.current
        return await importArchive(file, {
          ...(sent ?? { plan: null, storesPictures: false }),
          signal,
          onProgress: setProgress,
        })
      } catch (error) {
        if (error instanceof RequestFailure) return errorText(error)
        throw error
      }
    },
    onSuccess: async (found) => {
      if (typeof found === 'string') return
      setResult(found)
      if (found.kind !== 'goodChallengeArchiveImport') return
      await client.invalidateQueries({ queryKey: challengesKey })
      announce(text.done(found.plan.challenges.filter(({ state }) => state !== 'unchanged').length))
      if (found.plan.picturesLeft.length === 0) onDone()
    },
  })
  const failure = typeof sending.data === 'string' ? sending.data : null
  return {
    send: sending.mutate,
    /** The last response with a plan. */
    result,
    failure,
    /** The part that was sent; null while nothing is being sent. */
    progress: sending.isPending ? progress : null,
    isImport: sending.variables !== undefined && sending.variables !== null,
  }
}

interface ProgressProps {
  readonly name: string
  readonly progress: number
  readonly isImport: boolean
  readonly onCancel: () => void
}

function Progress({ name, progress, isImport, onCancel }: ProgressProps) {
  const text = useMessages(adminChallengesMessages).archive
  const said = isImport ? text.importing : text.checking
  const isSent = progress >= 1
  return (
    <>
      <p>
        <bdi>{name}</bdi>
      </p>
      <progress
        className={styles.progress}
        {...(isSent ? {} : { value: progress })}
        max={1}
        aria-label={name}
      />
      <p role="status">{isSent ? said : text.uploading(Math.floor(progress * 100))}</p>
      {!isImport && <Button onClick={onCancel}>{text.cancel}</Button>}
    </>
  )
}
