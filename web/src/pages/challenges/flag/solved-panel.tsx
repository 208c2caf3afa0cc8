import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { challengesQuery } from '../../../api/queries.ts'
import { useOwnTeam } from '../../../api/use-contest.ts'
import type { Challenge } from '../../../challenge/challenge.ts'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { BuntingLine } from '../../../ui/marks/bunting-line.tsx'
import { categoryOf } from '../../../ui/marks/categories.ts'
import { CategoryMark, clothStyle } from '../../../ui/marks/category-mark.tsx'
import { BLOODS, Pennant } from '../../../ui/marks/pennant.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import { bloodsOf, clothsOf } from '../list/rules.ts'
import styles from './solved.module.css'
import type { Outcome } from './use-submission.ts'

const PENNANT_PX = 58
const CLOTH = { width: 22, height: 30 }

interface SolvedPanelProps {
  readonly challenge: Challenge
  /** Result of the flag submitted on this page; null if the challenge was solved before. */
  readonly outcome: Outcome | null
  /** The open challenge to go on with. */
  readonly next: Challenge | null
}

/**
 * Replaces the flag form of a solved challenge. The points are those that count for the team: the value of the
 * challenge after this solve, known when the team has been read again.
 */
export function SolvedPanel({ challenge, outcome, next }: SolvedPanelProps) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const { team } = useOwnTeam()
  const own = team?.solves.find(({ id }) => id === challenge.id)
  const isNew = outcome !== null
  const blood = outcome?.place === undefined ? own?.bloodIndex : outcome.place - 1
  const sign = BLOODS[blood ?? -1] ?? 'solved'
  const points = isNew ? outcome.points : challenge.points
  return (
    <>
      <Panel className={cx(styles.panel, isNew && styles.fresh)}>
        <div
          role="status"
          className={styles.said}
          ref={isNew ? focusOnce : undefined}
          tabIndex={-1}
          style={clothStyle(categoryOf(challenge.category))}
        >
          <span className={cx(styles.flag, sign === 'solved' && styles.plain)}>
            <Pennant sign={sign} size={PENNANT_PX} hidden raising={isNew} />
          </span>
          <p>{outcome?.text ?? text.solvedAlready}</p>
          {points !== undefined && (
            <p className={styles.points}>
              +{format.number(points)} <span className="pn-hidden">{text.pointsIn(points)}</span>
            </p>
          )}
          {outcome?.place !== undefined && (
            <p className={styles.place}>
              {text.blood[outcome.place - 1] ?? text.position(text.ordinal(outcome.place))}
            </p>
          )}
          {isNew && <Cord category={challenge.category} />}
          {outcome?.ranks && <Ranks {...outcome.ranks} />}
        </div>
      </Panel>
      {next && <Next challenge={next} />}
    </>
  )
}

/** The bunting of the category, with the new cloth. */
function Cord({ category }: { readonly category: string }) {
  const { data } = useQuery({ ...challengesQuery(), enabled: false })
  const { team } = useOwnTeam()
  const challenges = data?.filter((each) => each.category === category) ?? []
  if (!team || challenges.length === 0) return null
  const solved = new Set(team.solves.map(({ id }) => id))
  return (
    <span className={styles.cord}>
      <BuntingLine
        items={clothsOf(challenges, { solved, bloods: bloodsOf(team.solves) })}
        width={350}
        cloth={CLOTH}
      />
    </span>
  )
}

/** How the solve changed the team's rank; nothing if it did not. */
function Ranks({ from, to }: { readonly from: number; readonly to: number }) {
  const text = useMessages(challengesMessages)
  if (to === from) return null
  return (
    <p className={styles.ranks}>
      <span className="pn-hidden">{text.rankFrom} </span>
      {text.ordinal(from)} <Icon name="chevronEnd" />
      <span className="pn-hidden">{text.rankTo} </span> <b>{text.ordinal(to)}</b>
    </p>
  )
}

function Next({ challenge }: { readonly challenge: Challenge }) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const { id, name, category, points, solves } = challenge
  return (
    <Link className={styles.next} to={paths.challenge(id)}>
      <CategoryMark name={category} form="icon" size={20} />
      <span className={styles.name}>
        <span className={styles.small}>{text.next}</span>
        <bdi>{name}</bdi>
      </span>
      <span className={styles.worth}>
        <b>{format.number(points)}</b>
        <span className={styles.small}>{text.solvesCount(solves, format.number(solves))}</span>
      </span>
    </Link>
  )
}

/** Moves the focus here, because the focused field was removed. */
function focusOnce(status: HTMLElement | null): void {
  status?.focus()
}
