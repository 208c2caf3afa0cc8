import { useRef, useState, type ReactNode } from 'react'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import styles from './list.module.css'
import { runMany, type ManyState } from './run-many.ts'
import { words } from './words.ts'

interface BulkBarProps {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** At the bottom while rows are selected: what can be done to all of them. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  const text = useText(words)
  if (count === 0) return null
  return (
    <div className={styles.bulk} role="group" aria-label={text.selected(count)}>
      <b role="status">{text.selected(count)}</b>
      {children}
      <Button tone="quiet" onClick={onClear}>
        {text.clear}
      </Button>
    </div>
  )
}

interface Named {
  readonly id: string
  readonly name: string
}

export interface Job<Item> {
  readonly title: string
  readonly items: readonly Item[]
  readonly deed: (item: Item) => Promise<string | null>
}

/** Runs one job at a time. `dialog` shows how far it is and what failed; `onDone` follows each run. */
export function useJob<Item extends Named>(onDone: () => void) {
  const [job, setJob] = useState<Job<Item> | null>(null)
  const [state, setState] = useState<ManyState<Item>>({ done: 0, failures: [] })
  const [isRunning, setRunning] = useState(false)
  const stop = useRef(new AbortController())
  const start = async (next: Job<Item>) => {
    stop.current = new AbortController()
    setJob(next)
    setState({ done: 0, failures: [] })
    setRunning(true)
    await runMany(next.items, { deed: next.deed, onProgress: setState, signal: stop.current.signal })
    setRunning(false)
    onDone()
  }
  const close = () => {
    stop.current.abort()
    setJob(null)
  }
  const retry = () => job && void start({ ...job, items: state.failures.map(({ item }) => item) })
  const dialog = job && (
    <JobDialog {...{ job, state, isRunning, close, retry }} stop={() => stop.current.abort()} />
  )
  return { start, dialog }
}

interface JobDialogProps<Item> {
  readonly job: Job<Item>
  readonly state: ManyState<Item>
  readonly isRunning: boolean
  readonly stop: () => void
  readonly close: () => void
  readonly retry: () => void
}

function JobDialog<Item extends Named>({ job, state, isRunning, stop, close, retry }: JobDialogProps<Item>) {
  const text = useText(words)
  const { done, failures } = state
  const actions = isRunning ? (
    <Button onClick={stop}>{text.stop}</Button>
  ) : (
    <>
      {failures.length > 0 && <Button onClick={retry}>{text.retry}</Button>}
      <Button tone="primary" onClick={close}>
        {text.close}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={close} title={job.title} actions={actions}>
      <p role="status">{text.progress(done, job.items.length)}</p>
      <progress value={done} max={job.items.length} aria-label={job.title} />
      {failures.length > 0 && (
        <>
          <p>{text.failed(failures.length)}</p>
          <ul>
            {failures.map(({ item, why }) => (
              <li key={item.id}>
                <bdi>{item.name}</bdi>: {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
