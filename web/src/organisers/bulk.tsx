import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { organiserListMessages } from '../text/en/organiser-list.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import styles from './list.module.css'
import { runMany, type ManyState } from './run-many.ts'

interface BulkBarProps {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** Shown at the bottom while rows are selected: the actions for all of them. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  const text = useMessages(organiserListMessages)
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
  readonly run: (item: Item) => Promise<string | null>
}

/** Runs one job at a time. `dialog` shows progress and failures; `onDone` is called after each run. */
export function useJob<Item extends Named>(onDone: () => void) {
  const [job, setJob] = useState<Job<Item> | null>(null)
  const [state, setState] = useState<ManyState<Item>>({ done: 0, failures: [] })
  const stop = useRef(new AbortController())
  const running = useMutation({
    mutationFn: ({ items, run }: Job<Item>) =>
      runMany(items, { run, onProgress: setState, signal: stop.current.signal }),
    onSuccess: onDone,
  })
  const start = (next: Job<Item>) => {
    stop.current = new AbortController()
    setJob(next)
    setState({ done: 0, failures: [] })
    running.mutate(next)
  }
  const close = () => {
    stop.current.abort()
    setJob(null)
  }
  const retry = () => job && start({ ...job, items: state.failures.map(({ item }) => item) })
  const dialog = job && (
    <JobDialog
      {...{ job, state, close, retry }}
      isRunning={running.isPending}
      stop={() => stop.current.abort()}
    />
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
  const text = useMessages(organiserListMessages)
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
