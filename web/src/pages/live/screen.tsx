import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useRef } from 'react'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { ClientConfigV2 } from '@pennant/contract/client-config.ts'
import type { z } from 'zod'
import { boardChallengesQuery, boardQuery, latestSolvesQuery } from '../../api/queries.ts'
import { divisionName, usePhase } from '../../api/use-contest.ts'
import { BloodOverlay } from '../../layout/blood-overlay/blood-overlay.tsx'
import { useBloodQueue } from '../../layout/blood-overlay/use-blood-queue.ts'
import { useNextWave } from '../../layout/next-wave/next-wave.tsx'
import { PhaseText } from '../../layout/header/phase-clock.tsx'
import { useIsOffline } from '../../state/connection.ts'
import { liveMessages } from '../../text/en/live.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { BuntingLine, type BuntingItem } from '../../ui/marks/bunting-line.tsx'
import { Announcements } from './announcements.tsx'
import { Bloods, Solves } from './lists.tsx'
import styles from './live.module.css'
import type { ScreenSettings } from '../../screen-address.ts'
import { Wave } from './wave.tsx'
import type { goodLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { useRowMoves } from '../../ui/board/use-row-moves.ts'
import { Avatar } from '../../ui/data/team-name.tsx'
import { Movement } from '../../ui/marks/movement.tsx'
import { BLOODS, Pennant } from '../../ui/marks/pennant.tsx'
import { lineColour, LINE_COLOURS } from '../../ui/plots/labels.ts'
import { Sparkline } from '../../ui/plots/sparkline.tsx'

type Config = z.output<typeof ClientConfigV2>

/** Without a stream. */
const SOLVES_EVERY_MS = 5 * SECOND_MS
const BUNTING = { width: 1600, cloth: { width: 30, height: 40 }, count: 30 }
const ANNOUNCED = { alone: 3, besideWave: 2 }
const SIDES = ['bloods', 'activity', 'announcements'] as const

interface ScreenProps {
  readonly settings: ScreenSettings
  readonly config: Config
}

/** All panels. They read what every visitor may read, through the same queries as the other pages. */
export function Screen({ settings, config }: ScreenProps) {
  const text = useMessages(liveMessages)
  const phase = usePhase()
  const { panels, rows, scale, isTransparent, hasMoments, division } = settings
  const isOpen = phase !== 'before' && phase !== null
  const has = (panel: (typeof panels)[number]) => panels.includes(panel)
  const latest = useQuery({ ...latestSolvesQuery(SOLVES_EVERY_MS), enabled: isOpen }).data
  const board = useQuery({ ...boardQuery({ page: 0, division }), enabled: isOpen && has('leaderboard') }).data
  const blood = useBloodQueue(hasMoments ? latest?.solves : undefined)
  const isOffline = useIsOffline()
  const next = useNextWave()
  const wave = has('wave') ? next : null
  const sides = wave !== null || SIDES.some((panel) => has(panel))
  const look = { '--scale': scale, '--rows': rows } as CSSProperties
  return (
    <div className={styles.place} style={look} data-columns={sides && has('leaderboard') ? 2 : 1}>
      {!isTransparent && <Line />}
      <Top settings={settings} config={config} total={board?.total} />
      {has('leaderboard') && (
        <section className={styles.main} aria-label={text.leaderboard}>
          {isOpen ? (
            board && <Ranks board={board} rows={rows} division={division} />
          ) : (
            <p className={styles.note}>{text.notYet}</p>
          )}
        </section>
      )}
      {sides && (
        <div className={styles.side}>
          {has('bloods') && latest && <Bloods solves={latest.firstBloods} />}
          {has('activity') && latest && <Solves solves={latest.solves} />}
          {has('announcements') && !config.isArchived && (
            <Announcements most={wave ? ANNOUNCED.besideWave : ANNOUNCED.alone} />
          )}
          {wave && <Wave wave={wave} />}
        </div>
      )}
      <p className={styles.offline} role="status">
        {isOffline && text.offline}
      </p>
      {blood && <BloodOverlay blood={blood} />}
    </div>
  )
}

const CATEGORIES = 'web crypto pwn rev forensics osint misc blockchain'.split(' ')
/** Decoration. */
const CLOTHS: readonly BuntingItem[] = Array.from({ length: BUNTING.count }, (_, at) => ({
  category: CATEGORIES[at % CATEGORIES.length] ?? '',
  state: 'solved' as const,
}))

function Line() {
  return (
    <div className={styles.line}>
      <BuntingLine
        items={CLOTHS}
        width={BUNTING.width}
        cloth={BUNTING.cloth}
        most={BUNTING.count}
        sag={0.015}
      />
    </div>
  )
}

/** The heading, what is shown, and the time left. */
function Top({ settings, config, total }: ScreenProps & { readonly total: number | undefined }) {
  const { title, panels, division, isTransparent } = settings
  const heading = title ?? (isTransparent ? '' : config.ctfName)
  const hasClock = panels.includes('countdown')
  const isBare = heading === '' && division === undefined && !hasClock
  return (
    <header className={styles.top} data-bare={isBare || undefined}>
      <h1 className={heading === '' ? 'pn-hidden' : undefined}>
        <bdi>{heading === '' ? config.ctfName : heading}</bdi>
      </h1>
      <p className={styles.facts}>
        {division !== undefined && <b>{divisionName(config.divisions, division)}</b>}
        {heading !== '' && total !== undefined && <Facts total={total} />}
      </p>
      {hasClock && (
        <p className={styles.clock}>
          <PhaseText config={config} wordClass={styles.word} />
        </p>
      )}
    </header>
  )
}

function Facts({ total }: { readonly total: number }) {
  const text = useMessages(liveMessages)
  const format = useFormat()
  const { challenges } = useQuery(boardChallengesQuery()).data ?? {}
  if (!challenges) return null
  const solves = Object.values(challenges).reduce((sum, each) => sum + each.solves, 0)
  return <span>{text.facts(format.number(total), format.number(solves))}</span>
}

type Board = ReturnType<typeof goodLeaderboardV2>['data']
type Row = Board['leaderboard'][number]

const AVATAR_PX = 44
const LINE = { width: 168, height: 40 }

interface RanksProps {
  readonly board: Board
  readonly rows: number
  readonly division: string | undefined
}

/** The first teams. Rows move to their new places. */
function Ranks({ board, rows, division }: RanksProps) {
  const text = useMessages(liveMessages)
  const list = useRef<HTMLOListElement>(null)
  const shown = board.leaderboard.slice(0, rows)
  useRowMoves(
    list,
    shown.map(({ id }) => id),
  )
  if (shown.length === 0) return <p className={styles.note}>{text.noScores}</p>
  return (
    <ol ref={list} className={styles.ranks}>
      {shown.map((row, at) => (
        <Team key={row.id} row={row} at={at} isDivision={division !== undefined} />
      ))}
    </ol>
  )
}

interface TeamProps {
  readonly row: Row
  readonly at: number
  readonly isDivision: boolean
}

function Team({ row, at, isDivision }: TeamProps) {
  const text = useMessages(liveMessages)
  const format = useFormat()
  const { id, name, avatarUrl, score, trend, solves, dynamicScores } = row
  const sign = BLOODS[at]
  const count = solves.length + dynamicScores.length
  const change = isDivision ? trend?.divisionPlaceChange : trend?.globalPlaceChange
  const colour = at < LINE_COLOURS.length ? lineColour(at) : 'faint'
  return (
    <li data-row={id} value={at + 1} data-medal={sign === undefined ? undefined : at + 1}>
      <span className={styles.rank}>
        {sign ? <Pennant sign={sign} size={34} hidden /> : format.number(at + 1)}
      </span>
      <span className={styles.movement}>{change !== undefined && <Movement change={change} />}</span>
      <span className={styles.avatar}>
        <Avatar name={name} teamId={id} url={avatarUrl} size={AVATAR_PX} />
      </span>
      <bdi className={styles.name}>{name}</bdi>
      <span className={styles.trend} style={{ color: `var(--pn-${colour})` }}>
        {trend && <Sparkline scores={trend.scores} {...LINE} hasArea />}
      </span>
      <span className={styles.solves}>
        <span aria-hidden="true">{format.number(count)}</span>
        <span className="pn-hidden">{text.solvesCount(count, format.number(count))}</span>
      </span>
      <b className={styles.score}>{format.number(score)}</b>
    </li>
  )
}
