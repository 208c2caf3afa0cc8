import type { NextWave } from '@pennant/contract/waves.ts'
import type { z } from 'zod'
import { useNow } from '../../state/clock.ts'
import { liveMessages } from '../../text/en/live.ts'
import { wavesMessages } from '../../text/en/waves.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { TimeLeft } from '../../ui/data/countdown.tsx'
import { BuntingLine } from '../../ui/marks/bunting-line.tsx'
import styles from './lists.module.css'

const BUNTING = { width: 460, cloth: { width: 34, height: 44 }, most: 12 }

/** The next wave that players may know of: its time, and a cloth for each of its challenges. */
export function Wave({ wave: { name, opensAt, count } }: { readonly wave: z.output<typeof NextWave> }) {
  const text = useMessages(liveMessages)
  const waves = useMessages(wavesMessages)
  const format = useFormat()
  const now = useNow()
  const items = Array.from({ length: Math.min(count, BUNTING.most) }, () => ({
    category: '',
    state: 'later' as const,
  }))
  return (
    <section className={styles.wave} aria-label={text.wave}>
      <div>
        <span className={styles.waveName}>
          <bdi>{name}</bdi>
          {count > 0 && <span>{waves.count(count, format.number(count))}</span>}
        </span>
        <b>
          <TimeLeft leftMs={opensAt - now} />
        </b>
      </div>
      {count > 0 && <BuntingLine items={items} {...BUNTING} sag={0.02} />}
    </section>
  )
}
