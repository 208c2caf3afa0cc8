import { useQueryClient } from '@tanstack/react-query'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { useEffect, useRef, useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { RequestFailure } from '../../api/failure.ts'
import { useConfig, useIsOver } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { adminExportMessages } from '../../text/en/admin-export.ts'
import { useErrorText, useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Panel } from '../../ui/states/panel.tsx'
import { requestData } from '../../api/client.ts'
import { tracksOf } from '../../account/tracks/tracks-of.ts'
import { PAGE_SIZE } from '../../api/queries.ts'
import { csvOf, type BoardRow } from './board-csv.ts'
import styles from './export.module.css'
import { fileName } from './file-name.ts'

/** Maximum number of rows in one file. */
const MAX_ROWS = 100_000
/** Default page limit of the server; a deployment can lower it. */
const LARGE_PAGE = 100

/** Exports the whole scoreboard as CSV, page by page; can be cancelled. */
export function BoardPart() {
  const text = useMessages(adminExportMessages)
  const format = useFormat()
  const { start, cancel, progress, said, failure } = useLoading()
  return (
    <Panel title={text.board}>
      <div className={styles.part}>
        <p>{text.boardAbout}</p>
        <div className="pn-wrap pn-gap-3">
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
  const text = useMessages(adminExportMessages)
  const format = useFormat()
  const errorText = useErrorText('once')
  const event = useConfig()?.ctfName ?? ''
  const queries = useQueryClient()
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
      const rows = await loadBoard({ track: tracksOf(queries), onProgress, signal: own.signal })
      const name = fileName({ event, what: 'scoreboard', isFinal, at: serverNow(), ending: 'csv' })
      saveFile({ name, content: csvOf(rows), type: 'text/csv;charset=utf-8' })
      const isCut = rows.length >= MAX_ROWS
      setSaid(isCut ? text.truncated(format.number(MAX_ROWS)) : text.saved(name))
    } catch (error) {
      if (error instanceof RequestFailure) setFailure(errorText(error))
      else if (!own.signal.aborted) throw error
    }
    setProgress(null)
  }
  return { start, cancel: () => stop.current?.abort(), progress, said, failure }
}

interface LoadOptions {
  /** Asks for the track of each team, in an event with tracks. */
  readonly track: { readonly track?: string }
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** Loads every ranked team. Throws `RequestFailure`, or the abort reason. */
async function loadBoard({ track, onProgress, signal }: LoadOptions): Promise<BoardRow[]> {
  // Keyed by team: ranks can change between two pages, so a team can appear on both.
  const rows = new Map<string, BoardRow>()
  let limit = LARGE_PAGE
  for (let offset = 0; offset < MAX_ROWS; offset += limit) {
    let page
    try {
      page = await pageOf({ track, limit, offset, signal })
    } catch (error) {
      const isTooMuch = error instanceof RequestFailure && error.kind === 'badBody' && limit !== PAGE_SIZE
      if (!isTooMuch) throw error
      limit = PAGE_SIZE
      page = await pageOf({ track, limit, offset, signal })
    }
    for (const row of page.leaderboard) rows.set(row.id, row)
    onProgress(rows.size, Math.min(page.total, MAX_ROWS))
    if (page.leaderboard.length < limit) break
  }
  return Array.from(rows.values())
}

interface PageOptions extends Pick<LoadOptions, 'track'> {
  readonly limit: number
  readonly offset: number
  readonly signal: AbortSignal
}

function pageOf({ track, limit, offset, signal }: PageOptions) {
  // Sent with the token, because the scoreboard needs a permission before the start.
  const query = { limit: String(limit), offset: String(offset), ...track }
  return requestData(getLeaderboardV2, { query }, { signal, asTeam: true })
}
