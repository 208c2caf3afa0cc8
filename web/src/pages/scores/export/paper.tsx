import { useState } from 'react'
import { divisionName, useConfig, useIsOver } from '../../../api/use-contest.ts'
import { serverNow } from '../../../state/clock.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import type { Line } from '../../../ui/plots/draw.ts'
import { shortened } from '../../../ui/plots/labels.ts'
import { solveCount } from '../table/columns.ts'
import { placeLines } from '../graph/graph-lines.ts'
import styles from './paper.module.css'
import type { BoardRow } from '../use-board.ts'

const DASHES = ['none', '8 4', '2 3', '10 3 2 3']
const GRAPH = { left: 0, top: 8, width: 620, height: 180 }
const VIEW_BOX = '0 0 800 196'
const LABEL_STEP = 13
/** Maximum label length in characters next to the graph. */
const LABEL_LENGTH = 26

interface PaperProps {
  readonly rows: readonly BoardRow[]
  /** Undefined if not loaded: the scoreboard is then printed without the graph. */
  readonly lines: readonly Line[] | undefined
  readonly division: string | undefined
}

/** Print layout of the scoreboard: black on white, without the rest of the page. */
export function Paper({ rows, lines, division }: PaperProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const config = useConfig()
  const [now] = useState(serverNow)
  const state = useIsOver() ? text.final : text.provisional
  const about = [division && divisionName(config?.divisions, division), format.dateTime(now), state]
  return (
    <section className={styles.paper} aria-label={text.printTitle}>
      <h2>{config?.ctfName}</h2>
      <p>{about.filter(Boolean).join(' · ')}</p>
      {lines && lines.length > 0 && <Lines lines={lines} now={now} />}
      <table>
        <thead>
          <tr>
            <th scope="col">{text.place}</th>
            <th scope="col">{text.team}</th>
            <th scope="col">{text.score}</th>
            <th scope="col">{text.solves}</th>
            <th scope="col">{text.lastSolve}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const place = division === undefined ? row.globalPlace : row.divisionPlace
            const last = row.solves.reduce((latest, { solveTime }) => Math.max(latest, solveTime), 0)
            return (
              <tr key={row.id}>
                <td>{place === null ? '' : format.number(place)}</td>
                <td>
                  <bdi>{row.name}</bdi>
                </td>
                <td>{format.number(row.score)}</td>
                <td>{format.number(solveCount(row))}</td>
                <td>{last > 0 && format.dateTime(last)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** The graph without colours: lines differ by dash pattern and by the name at their end. */
function Lines({ lines, now }: { readonly lines: readonly Line[]; readonly now: number }) {
  let lowest = -Infinity
  const placed = placeLines(lines, now, GRAPH).map((line) => {
    lowest = Math.max(line.endY, lowest + LABEL_STEP)
    return { ...line, labelY: lowest }
  })
  return (
    <svg viewBox={VIEW_BOX} className={styles.graph} aria-hidden="true">
      {placed.map(({ name, path, isOwn, labelY }, at) => (
        <g key={name}>
          <path
            d={path}
            fill="none"
            stroke="#000"
            strokeWidth={isOwn ? 2.5 : 1}
            strokeDasharray={isOwn ? 'none' : DASHES[at % DASHES.length]}
          />
          <text x={GRAPH.width + 8} y={labelY} fontSize="11" dominantBaseline="middle">
            {shortened(name, (text) => text.length <= LABEL_LENGTH)}
          </text>
        </g>
      ))}
    </svg>
  )
}
