import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Radio } from '../../../ui/fields/choices.tsx'
import { NumberInput } from '../../../ui/fields/inputs.tsx'
import styles from '../challenges.module.css'
import type { CountedChallenge, Draft } from '../draft.ts'
import type { Editor } from '../editor/use-editor.ts'
import { WhenNear } from '../editor/when-near.tsx'
import { PointsPlot } from './points-plot.tsx'
import { PushedScores } from './pushed-scores.tsx'
import { newSecret } from './new-secret.ts'

const KINDS = ['decay', 'static', 'dynamic'] as const

interface ScoringPartProps {
  readonly challenge: CountedChallenge
  readonly editor: Editor
}

/** Points of a challenge and how they are computed. */
export function ScoringPart({ challenge, editor }: ScoringPartProps) {
  const text = useMessages(adminChallengesMessages)
  const { draft, set, problems, base } = editor
  const { points, scoring } = draft
  const isLocked = challenge.solveCount > 0
  const choose = (kind: string) => set({ scoring: scoringOf(kind, base) })
  return (
    <div className={styles.form}>
      <Radio
        look="segments"
        label={text.kind}
        value={scoring.kind}
        onChange={choose}
        help={isLocked ? text.kindLocked(challenge.solveCount) : text.kindHelp[scoring.kind]}
        choices={KINDS.map((value) => ({
          value,
          label: text.kinds[value],
          disabled: isLocked && value !== scoring.kind,
        }))}
      />
      {scoring.kind === 'dynamic' ? (
        <PushedScores
          id={challenge.id}
          secret={scoring.source.secret}
          error={problems.scoring}
          onChange={(secret) =>
            set({ scoring: { kind: 'dynamic', source: { transport: 'webhook', secret } } })
          }
        />
      ) : (
        <>
          <div className={styles.basics}>
            {(['min', 'max'] as const).map((end) => (
              <NumberInput
                key={end}
                label={text[end]}
                value={Number.isNaN(points[end]) ? null : points[end]}
                error={end === 'min' ? problems.points : undefined}
                onChange={(value) => set({ points: { ...points, [end]: value ?? Number.NaN } })}
              />
            ))}
          </div>
          {scoring.kind === 'decay' && (
            <WhenNear>
              <PointsPlot min={points.min} max={points.max} solves={challenge.solveCount} />
            </WhenNear>
          )}
        </>
      )}
    </div>
  )
}

/** Switching back to the stored kind restores its stored secret. */
function scoringOf(kind: string, { scoring }: Draft): Draft['scoring'] {
  if (kind === 'static') return { kind: 'static' }
  if (kind !== 'dynamic') return { kind: 'decay' }
  return scoring.kind === 'dynamic'
    ? scoring
    : { kind: 'dynamic', source: { transport: 'webhook', secret: newSecret() } }
}
