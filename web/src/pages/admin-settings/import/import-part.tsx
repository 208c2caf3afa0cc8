import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { FailureLine } from '../../../account/failure-line.tsx'
import {
  contestImportKey,
  contestImportQuery,
  sendContest,
  type ImportResult,
} from '../../../api/contest-import.ts'
import { RequestFailure } from '../../../api/failure.ts'
import { StorePictures } from '../../../organisers/foreign-pictures.tsx'
import { Waiting } from '../../../organisers/organiser-page.tsx'
import { paths } from '../../../paths.ts'
import { contestImportMessages } from '../../../text/en/contest-import.ts'
import { useErrorText, useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Switch } from '../../../ui/fields/choices.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { choicesOf, newDraft, type ImportDraft } from './draft.ts'
import { ImportForm } from './import-form.tsx'
import { ImportReportView } from './import-report.tsx'
import styles from './import.module.css'

type State = Awaited<ReturnType<NonNullable<ReturnType<typeof contestImportQuery>['queryFn']>>>

/** Imports the contest of another platform: docs/reference/contest-import.md */
export function ImportPart() {
  const text = useMessages(contestImportMessages)
  const [draft, setDraft] = useState(newDraft)
  const [file, setFile] = useState<File | null>(null)
  const sending = useSending(draft, file)
  const query = useQuery(contestImportQuery(sending.isPending))
  const region = useRef<HTMLDivElement>(null)
  const { result, isPending } = sending
  // The button disappears, so the focus would be lost.
  useEffect(() => {
    if (isPending || result) region.current?.focus()
  }, [isPending, result])
  if (!query.data) return <Waiting query={query} rows={3} />
  const change = (changed: Partial<ImportDraft>) => {
    sending.forget()
    setDraft({ ...draft, ...changed })
  }
  return (
    <div ref={region} tabIndex={-1} className={styles.part}>
      {result?.kind === 'imported' ? (
        <Done result={result} />
      ) : isPending ? (
        <Progress state={query.data} progress={sending.progress} onCancel={sending.cancel} />
      ) : (
        <Offer state={query.data}>
          <p className={styles.about}>{text.about}</p>
          <ImportForm
            draft={draft}
            file={file}
            maxBytes={query.data.maxBytes}
            onChange={change}
            onFile={(chosen) => {
              sending.forget()
              setFile(chosen)
            }}
          />
          {result?.kind === 'unreadable' && <p role="alert">{result.reason}</p>}
          {sending.failure !== null && <FailureLine>{sending.failure}</FailureLine>}
          {result && 'report' in result ? (
            <Planned key={result.report.plan} result={result} onImport={sending.send} />
          ) : (
            file && (
              <div>
                <Button
                  tone="primary"
                  disabledBecause={Number.isNaN(draft.end) ? text.endIncomplete : undefined}
                  onClick={() => sending.send(null)}
                >
                  {text.plan}
                </Button>
              </div>
            )
          )}
        </Offer>
      )}
    </div>
  )
}

interface OfferProps {
  readonly state: State
  readonly children: ReactNode
}

/** The form, unless nothing can be imported now. */
function Offer({ state: { running, refusal }, children }: OfferProps) {
  const text = useMessages(contestImportMessages)
  if (running)
    return (
      <>
        <p role="status">{text.running}</p>
        <Step running={running} />
      </>
    )
  if (refusal === null) return children
  return (
    <p>
      {text.refused} <span lang="en">{refusal}</span>
    </p>
  )
}

interface ProgressProps {
  readonly state: State
  /** The part of the file that was sent. */
  readonly progress: number
  readonly onCancel: () => void
}

function Progress({ state: { running }, progress, onCancel }: ProgressProps) {
  const text = useMessages(contestImportMessages)
  const isSent = progress >= 1
  return (
    <>
      {isSent && running ? (
        <Step running={running} />
      ) : (
        <>
          <progress className={styles.progress} value={progress} max={1} aria-label={text.file} />
          <p role="status">{text.uploading(Math.floor(progress * 100))}</p>
        </>
      )}
      {!(isSent && running && !running.isPlan) && (
        <div>
          <Button onClick={onCancel}>{text.cancel}</Button>
        </div>
      )}
    </>
  )
}

function Step({ running: { step, done, total } }: { readonly running: NonNullable<State['running']> }) {
  const text = useMessages(contestImportMessages)
  const format = useFormat()
  return (
    <>
      <progress
        className={styles.progress}
        {...(total > 0 ? { value: done, max: total } : {})}
        aria-label={text.steps[step]}
      />
      <p role="status">{text.steps[step]}</p>
      {total > 0 && <p>{text.of(format.number(done), format.number(total))}</p>}
    </>
  )
}

/** The plan to carry out. */
interface Sent {
  readonly plan: string
  readonly storesPictures: boolean
}

interface PlannedProps {
  readonly result: Extract<ImportResult, { readonly kind: 'planned' | 'refused' }>
  readonly onImport: (sent: Sent | null) => void
}

/** The plan, and the confirmation of what is lost. */
function Planned({ result: { kind, report }, onImport }: PlannedProps) {
  const text = useMessages(contestImportMessages)
  const format = useFormat()
  const [isAccepted, setAccepted] = useState(false)
  const [storesPictures, setStoresPictures] = useState(false)
  const hasProblems = report.findings.some(({ severity }) => severity === 'problem')
  const count = report.findings.filter(({ severity }) => severity === 'loss').length
  const isBlocked = count > 0 && !isAccepted
  return (
    <section aria-label={text.planTitle(report.source)} className={styles.report}>
      <h3>{text.planTitle(report.source)}</h3>
      {kind === 'refused' && !hasProblems && <p role="alert">{text.changed}</p>}
      {hasProblems && <p role="alert">{text.problems}</p>}
      <ImportReportView report={report} />
      {!hasProblems && count > 0 && (
        <Switch
          kind="checkbox"
          label={text.accept({ count, text: format.number(count) })}
          checked={isAccepted}
          onChange={setAccepted}
        />
      )}
      {!hasProblems && report.findings.some(({ code }) => code === 'pictures') && (
        <StorePictures checked={storesPictures} onChange={setStoresPictures} />
      )}
      <div>
        {hasProblems ? (
          <Button onClick={() => onImport(null)}>{text.planAgain}</Button>
        ) : (
          <Button
            tone="primary"
            {...(isBlocked ? { disabledBecause: text.acceptFirst } : {})}
            onClick={() => onImport({ plan: report.plan, storesPictures })}
          >
            {text.import}
          </Button>
        )}
      </div>
    </section>
  )
}

function Done({ result }: { readonly result: Extract<ImportResult, { readonly kind: 'imported' }> }) {
  const text = useMessages(contestImportMessages)
  const { report, secrets } = result
  return (
    <section aria-label={text.doneTitle(report.source)} className={styles.report}>
      <h3>{text.doneTitle(report.source)}</h3>
      {secrets !== '' && (
        <>
          <p>{text.secretsAbout}</p>
          <div>
            <Button
              tone="primary"
              icon="download"
              onClick={() =>
                saveFile({ name: 'links.tsv', content: secrets, type: 'text/tab-separated-values' })
              }
            >
              {text.download}
            </Button>
          </div>
        </>
      )}
      <ImportReportView report={report} />
      <Link to={paths.scores()}>{text.scoreboard}</Link>
    </section>
  )
}

/** Sends the file for a plan (null) or for the import of a plan, one at a time. */
function useSending(draft: ImportDraft, file: File | null) {
  const text = useMessages(contestImportMessages)
  const errorText = useErrorText('once')
  const client = useQueryClient()
  const [progress, setProgress] = useState(0)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const sending = useMutation({
    mutationFn: async (sent: Sent | null): Promise<ImportResult | string> => {
      if (!file) return ''
      abort.current = new AbortController()
      const { signal } = abort.current
      setProgress(0)
      try {
        const choices = choicesOf(draft)
        const { token, configuration } = draft.source === 'rctf' ? draft : newDraft
        const plan = sent ?? { plan: null, storesPictures: false }
        const request = { choices, token, configuration, ...plan, signal, onProgress: setProgress }
        return await sendContest(file, request)
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error
        return error.kind === 'network' && sent !== null ? text.lost : errorText(error)
      }
    },
    onSettled: (found) =>
      typeof found === 'object' && found.kind === 'imported'
        ? client.invalidateQueries()
        : client.invalidateQueries({ queryKey: contestImportKey }),
  })
  const { data, isPending, mutate, reset } = sending
  return {
    send: mutate,
    forget: reset,
    cancel: () => {
      abort.current?.abort()
      reset()
    },
    result: typeof data === 'object' ? data : null,
    failure: typeof data === 'string' && data !== '' ? data : null,
    isPending,
    /** The part that was sent. */
    progress,
  }
}
