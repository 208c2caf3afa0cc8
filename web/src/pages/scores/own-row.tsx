import type { OwnProfileV2 } from '@pennant/contract/teams.ts'
import type { z } from 'zod'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TeamName } from '../../ui/data/team-name.tsx'
import styles from './scores.module.css'
import { words } from './words.ts'

interface OwnRowProps {
  readonly team: z.output<typeof OwnProfileV2>
  readonly division: string | undefined
  readonly onJump: (() => void) | undefined
}

/** The own team below the board, wherever the board stands. */
export function OwnRow({ team, division, onJump }: OwnRowProps) {
  const text = useText(words)
  const format = useFormat()
  const isForeign = division !== undefined && division !== team.division
  const place = division === undefined || isForeign ? team.globalPlace : team.divisionPlace
  return (
    <section className={cx(styles.ownRow, styles.own)} aria-label={text.own}>
      <span className={styles.place}>{place === null ? text.notRanked : format.number(place)}</span>
      <TeamName name={team.name} avatarUrl={team.avatarUrl} />
      {isForeign && <span className={styles.status}>{text.otherDivision}</span>}
      <span className={cx(styles.end, styles.score)}>{format.number(team.score)}</span>
      {onJump && <Button onClick={onJump}>{text.jump}</Button>}
    </section>
  )
}
