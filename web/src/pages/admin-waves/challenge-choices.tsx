import { useQuery } from '@tanstack/react-query'
import { adminWavesMessages } from '../../text/en/admin-waves.ts'
import { useMessages } from '../../text/messages.ts'
import styles from './admin-waves.module.css'
import { allChallengesQuery, type Wave } from './queries.ts'

interface ChoicesProps {
  readonly chosen: readonly string[]
  /** The wave that is edited. */
  readonly own: string | undefined
  readonly waves: readonly Wave[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** All challenges by category; the chosen ones belong to the wave. */
export function ChallengeChoices({ chosen, own, waves, onChange }: ChoicesProps) {
  const text = useMessages(adminWavesMessages)
  const challenges = useQuery(allChallengesQuery).data ?? []
  const categories = [...new Set(challenges.map(({ category }) => category))].toSorted()
  const names = new Map(waves.map(({ id, name }) => [id, name]))
  const toggle = (id: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))
  return (
    <div role="group" aria-label={text.challenges}>
      <span aria-hidden="true">
        {text.challenges}: {text.count(chosen.length)}
      </span>
      <div className={styles.choices}>
        {challenges.length === 0 && text.noChallenges}
        {categories.map((category) => (
          <div key={category}>
            <h3>{category}</h3>
            {challenges
              .filter((challenge) => challenge.category === category)
              .map(({ id, name, waveId }) => (
                <label key={id}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(id)}
                    onChange={(event) => toggle(id, event.currentTarget.checked)}
                  />
                  <bdi>{name}</bdi>
                  {waveId !== undefined && waveId !== own && (
                    <span className="pn-muted">{text.inOther(names.get(waveId) ?? '')}</span>
                  )}
                </label>
              ))}
          </div>
        ))}
      </div>
    </div>
  )
}
