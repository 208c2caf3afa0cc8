import { useEffect, useRef, useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { RequestFailure } from '../../api/failure.ts'
import { useConfig, useIsOver } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Panel } from '../../ui/states/panel.tsx'
import { csvOf } from './board-csv.ts'
import styles from './export.module.css'
import { fileName } from './file-name.ts'
import { loadBoard, MOST_ROWS } from './load-board.ts'
import { words } from './words.ts'

/** The whole board as a file for spreadsheets, page by page; it can be cancelled. */
export function BoardPart() {
  const text = useText(words)
  const format = useFormat()
  const { start, cancel, progress, said, failure } = useLoading()
  return (
    <Panel title={text.board}>
      <div className={styles.part}>
        <p>{text.boardAbout}</p>
        <div className={styles.actions}>
          <Button icon="download" busy={progress !== null} onClick={() => void start()}>
            {text.saveBoard}
          </Button>
          {progress && <Button onClick={cancel}>{text.cancel}</Button>}
        </div>
        <div role="status">
          {progress ? text.loading(format.number(progress.done), format.number(progress.total)) : said}
        </div>
        <FailureLine>{failure}</FailureLine>
      </div>
    </Panel>
  )
}

interface Progress {
  readonly done: number
  readonly total: number
}

function useLoading() {
  const text = useText(words)
  const format = useFormat()
  const errorText = useErrorText('once')
  const event = useConfig()?.ctfName ?? ''
  const isFinal = useIsOver()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [said, setSaid] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async () => {
    const own = new AbortController()
    stop.current = own
    setProgress({ done: 0, total: 0 })
    setSaid(undefined)
    setFailure(undefined)
    try {
      const onProgress = (done: number, total: number) => setProgress({ done, total })
      const rows = await loadBoard({ onProgress, signal: own.signal })
      const name = fileName({ event, what: 'scoreboard', isFinal, at: serverNow(), ending: 'csv' })
      saveFile({ name, content: csvOf(rows), type: 'text/csv;charset=utf-8' })
      const isCut = rows.length >= MOST_ROWS
      setSaid(isCut ? text.cut(format.number(MOST_ROWS)) : text.saved(name))
    } catch (error) {
      if (error instanceof RequestFailure) setFailure(errorText(error))
      else if (!own.signal.aborted) throw error
    }
    setProgress(null)
  }
  return { start, cancel: () => stop.current?.abort(), progress, said, failure }
}
